// Reads a file of terms of any size in constant memory, and decompresses it where it is compressed with gzip.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './connect.ts';
import type { DeckDefaults, FoundSource } from './dictionary.ts';
import { readRecords } from './formats.ts';

/** The length of a line in UTF-16 units, beyond which the import fails, since it could exhaust the memory. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** The first bytes of a file that is compressed with gzip, and of one in UTF-16, in hexadecimal. */
const GZIP = '1f8b';
const UTF16 = ['fffe', 'feff'];

/** The position in a file that is being read. */
interface ReadProgress {
  bytesRead: number;
  bytesTotal: number;
}

/**
 * Reads a file while its records are taken, which throws an ImportError when the file can't be read.
 * @param progress is updated while the file is read
 * @param defaults the deck's fields where the file leaves them out
 * @returns the records, and the source that the file names. It is complete when the first record is read
 */
export function openFile(file: string, progress: ReadProgress, defaults: DeckDefaults) {
  const found: FoundSource = { file: basename(file) };
  return { found, lines: readRecords(readLines(file, progress), defaults, found) };
}

/**
 * @param progress is updated while the lines are read
 * @returns the lines of a UTF-8 file, without line ends
 * @throws ImportError when the file can't be read or decompressed, is UTF-16, or has a line that is too long
 */
export async function* readLines(
  file: string,
  progress: ReadProgress = { bytesRead: 0, bytesTotal: 0 },
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of decompressed(readBytes(file, progress), file)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ImportError('This is not a list of terms: a line is longer than 8 MiB.');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

async function* readBytes(file: string, progress: ReadProgress): AsyncGenerator<Buffer> {
  try {
    progress.bytesTotal = (await stat(file)).size;
    for await (const chunk of createReadStream(file)) {
      progress.bytesRead += chunk.length;
      yield chunk;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ImportError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} can't be read: ${message}`);
  }
}

async function* decompressed(chunks: AsyncGenerator<Buffer>, file: string): AsyncGenerator<Buffer> {
  const { value: first, done } = await chunks.next();
  if (done) return;
  async function* all() {
    yield first;
    yield* chunks;
  }
  const mark = first.toString('hex', 0, 2);
  if (UTF16.includes(mark)) throw new ImportError('The file is UTF-16: save it as UTF-8 and import it again.');
  if (mark === GZIP) yield* unpacked(all(), file);
  else yield* all();
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
