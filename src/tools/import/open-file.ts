// Opens a file of terms of any size, decompresses it where it is compressed with gzip, and recognises its format by its
// beginning. It is read in constant memory.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
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
  /** 0 where the size is unknown, as for a pipe. */
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
  for await (const chunk of await readBytes(file, progress)) {
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

/**
 * @param progress is updated while the file is read
 * @returns the decompressed bytes of a file
 * @throws ImportError when the file doesn't exist or can't be decompressed
 */
async function readBytes(file: string, progress: ReadProgress): Promise<AsyncIterable<Buffer>> {
  progress.bytesTotal = await sizeOf(file);
  progress.bytesRead = 0;
  const isPacked = await startsPacked(file, progress.bytesTotal);
  const stored = createReadStream(file);
  stored.on('data', (chunk) => {
    progress.bytesRead += chunk.length;
  });
  if (!isPacked) return stored;
  const gunzip = createGunzip();
  // `pipeline` needs a callback; its error is also thrown to the reader of `gunzip`.
  pipeline(stored, gunzip, () => undefined);
  return unpacked(gunzip, file);
}

async function* unpacked(gunzip: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  try {
    yield* gunzip;
  } catch {
    throw new ImportError(`${file} can't be unpacked: it is damaged, or cut off.`);
  }
}

/** @returns the size of a file in bytes; 0 for a pipe */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new ImportError(`There is no file ${file}.`);
    throw new ImportError(`${file} can't be read: ${error.message}`);
  });
  if (found.isDirectory()) throw new ImportError(`${file} is a folder: name a file in it.`);
  return found.size;
}

/** @param size 0 for a pipe, which can be read only once and is taken as not compressed */
async function startsPacked(file: string, size: number): Promise<boolean> {
  if (size === 0) return false;
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('hex') === '1f8b';
  } finally {
    await handle.close();
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

/** @returns the first characters of a file; '' for a pipe, which can be read only once and must have lines */
async function beginningOf(file: string): Promise<string> {
  if ((await sizeOf(file)) === 0) return '';
  let beginning = '';
  for await (const text of readText(file, { bytesRead: 0, bytesTotal: 0 })) {
    beginning = (beginning + text).replace(/^\uFEFF/, '').trimStart();
    if (beginning.length > 0) break;
  }
  return beginning;
}
