// Opens a file of terms of any size, decompresses it where it is compressed with gzip, and recognises its format by its
// beginning. It is read in constant memory.
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './connect.ts';
import { type DeckDefaults, directionOf, type FoundSource } from './dictionary.ts';
import { readRecords } from './formats.ts';
import { readTei } from './tei.ts';
import type { ReadRecord } from './term-record.ts';
import { WIKTIONARY } from './wiktextract.ts';

/** The length of a line in UTF-16 units, beyond which the import fails, since it could exhaust the memory. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** The position in a file that is being read. */
interface ReadProgress {
  bytesRead: number;
  bytesTotal: number;
}

/**
 * @param progress is updated while the file is read
 * @returns the decompressed text of a UTF-8 file, in chunks
 * @throws ImportError when the file doesn't exist, can't be decompressed, or is UTF-16
 */
async function* readText(file: string, progress: ReadProgress): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let isFirst = true;
  for await (const chunk of readBytes(file, progress)) {
    if (isFirst) refuseUtf16(chunk);
    isFirst = false;
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/**
 * @param progress is updated while the lines are read
 * @returns the lines of a UTF-8 file, without line ends
 * @throws ImportError as readText does, and for a line that is too long
 */
export async function* readLines(file: string, progress: ReadProgress): AsyncGenerator<string> {
  let rest = '';
  for await (const text of readText(file, progress)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ImportError('This is not a list of terms: a line is longer than 8 MiB.');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}

/** The first bytes of a file that is compressed with gzip, in hexadecimal. */
const GZIP = '1f8b';

/**
 * @returns the decompressed bytes of a file
 * @throws ImportError when it is no file, or can't be decompressed
 */
async function* readBytes(file: string, progress: ReadProgress): AsyncGenerator<Buffer> {
  const handle = await open(file).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new ImportError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} can't be read: ${message}`);
  });
  try {
    const found = await handle.stat();
    // The beginning of a file is read before the rest, which a pipe doesn't allow.
    const other = found.isDirectory() ? 'a folder' : 'a pipe or a device';
    if (!found.isFile()) throw new ImportError(`${file} is ${other}: name a file.`);
    Object.assign(progress, { bytesRead: 0, bytesTotal: found.size });
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const stored = counted(handle.createReadStream({ start: 0, autoClose: false }), progress);
    if (buffer.toString('hex') === GZIP) yield* unpacked(stored, file);
    else yield* stored;
  } finally {
    await handle.close();
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, progress: ReadProgress): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    progress.bytesRead += chunk.length;
    yield chunk;
  }
}

async function* unpacked(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // `pipeline` needs a callback; its error is also thrown to the reader of `gunzip`.
  pipeline(chunks, gunzip, () => undefined);
  try {
    yield* gunzip;
  } catch {
    throw new ImportError(`${file} can't be unpacked: it is damaged, or cut off.`);
  }
}

function refuseUtf16(chunk: Buffer): void {
  const mark = chunk.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff')
    throw new ImportError('The file is UTF-16: save it as UTF-8 and import it again.');
}

/** A file that is ready to be read. */
export interface OpenFile {
  /** The source that the file names. It is complete when the first record is read. */
  found: FoundSource;
  lines: AsyncIterable<ReadRecord>;
  /** Whether its format has levels of difficulty. */
  hasLevels: boolean;
}

/**
 * @param progress is updated while the file is read
 * @param defaults the deck's fields where the file leaves them out
 * @throws ImportError when the file doesn't exist or can't be read
 */
export async function openFile(file: string, progress: ReadProgress, defaults: DeckDefaults): Promise<OpenFile> {
  const found: FoundSource = {};
  const beginning = await beginningOf(file);
  if (beginning.startsWith('<')) {
    const direction = directionOf(basename(file));
    const lines = readTei(readText(file, progress), { ...direction, ...defaults }, found);
    return { found, lines, hasLevels: false };
  }
  const isWiktionary = beginning.startsWith('{') && /"(lang_code|redirect)"\s*:/.test(beginning);
  const lines = readRecords(readLines(file, progress), defaults);
  return { found: isWiktionary ? WIKTIONARY : found, lines, hasLevels: !isWiktionary };
}

/** @returns the first characters of a file; '' if it has none */
async function beginningOf(file: string): Promise<string> {
  let beginning = '';
  for await (const text of readText(file, { bytesRead: 0, bytesTotal: 0 })) {
    beginning = (beginning + text).trimStart();
    if (beginning.length > 0) break;
  }
  return beginning;
}
