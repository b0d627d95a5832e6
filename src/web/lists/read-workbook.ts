// Reads a workbook (.xlsx), and tells other files in ZIP archives apart. It is loaded when such a file is chosen.
import { unzipSync, zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';

export interface Sheet {
  name: string;
  rows: string[][];
}

/** Why an archive can't be read. Each has a text that says what to do instead. */
export type ArchiveProblem = 'damaged' | 'spreadsheet' | 'document' | 'anki' | 'unknown';

/** The largest unpacked size of what is read, bytes. A workbook of more isn't a list of words. */
const UNPACKED_MAX_BYTES = 100_000_000;

/** Matches the name of a file in an archive by which its kind is known. */
const KINDS: readonly [ArchiveProblem | 'workbook', RegExp][] = [
  ['workbook', /^xl\/workbook\.xml$/],
  ['anki', /^collection\.anki/],
  ['document', /^(?:word|ppt)\/|^mimetype.*opendocument\.text/],
  ['spreadsheet', /^(?:content\.xml|xl\/workbook\.bin|Index\/.*\.iwa)$/],
];

/** @returns the sheets of a workbook that have cells, or why it can't be read */
export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<Sheet[] | ArchiveProblem> {
  // An OpenDocument file begins with its media type.
  const names = [String.fromCharCode(...bytes.subarray(30, 100))];
  let unpackedBytes = 0;
  try {
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        names.push(name);
        if (!/\.(?:xml|rels)$/.test(name)) return false;
        unpackedBytes += originalSize;
        return unpackedBytes <= UNPACKED_MAX_BYTES;
      },
    });
    const [kind = 'unknown'] = KINDS.find(([, name]) => names.some((one) => name.test(one))) ?? [];
    if (kind !== 'workbook') return kind;
    // Packed files of half a megabyte would be unpacked in a worker of a `blob:` address, which the page's security
    // policy forbids. Stored ones aren't unpacked.
    const stored = zipSync(files, { level: 0 }) as Uint8Array<ArrayBuffer>;
    const sheets = await readXlsxFile(stored.buffer);
    return sheets
      .map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(textOf)) }))
      .filter(({ rows }) => rows.some((row) => row.some((cell) => cell !== '')));
  } catch {
    return 'damaged';
  }
}

/** Excel makes a truth value of the word true, and a date of 1/2. */
function textOf(value: unknown): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
}
