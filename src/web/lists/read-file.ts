// Reads a file that is chosen or dropped, or tells why it can't be read. [contract 14]
import type { BUDGETS } from '../../budgets.ts';
import { type FileKind, kindOf } from './encodings.ts';
import type { ImportSource } from './import-preview.tsx';
import type { ArchiveProblem } from './read-workbook.ts';

/** Why a file can't be read. Each has a text that says what to do instead. */
export type FileProblem = Exclude<FileKind, 'text' | 'zip'> | ArchiveProblem | 'unreadable';

/** The largest body of a list, so that a text that is longer has more than a list. */
const TEXT_MAX_BYTES: (typeof BUDGETS)['listBody']['max'] = 4_194_304;
/** The largest workbook, bytes. Its pictures count as well. */
const WORKBOOK_MAX_BYTES = 50_000_000;

/** @returns what is in the file, or why it can't be read; it is never rejected */
export async function readFile(file: File): Promise<ImportSource | FileProblem> {
  const first = async (size: number) => new Uint8Array(await file.slice(0, size).arrayBuffer());
  try {
    const bytes = await first(TEXT_MAX_BYTES);
    const kind = kindOf(bytes);
    if (kind === 'text') return { bytes };
    if (kind !== 'zip') return kind;
    const { readWorkbook } = await import('./read-workbook.ts');
    const sheets = await readWorkbook(await first(WORKBOOK_MAX_BYTES));
    return typeof sheets === 'string' ? sheets : { sheets };
  } catch {
    // A folder was dropped, or there is no connection to load the reader of workbooks.
    return 'unreadable';
  }
}
