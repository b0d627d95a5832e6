// Reads a text file of any size in constant memory, and decompresses it where it is compressed with gzip.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.ts';

/** The length of a line in UTF-16 units, beyond which the import fails, since it could exhaust the memory. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** The position in a file that is being read. */
export interface ReadProgress {
  bytesRead: number;
  /** 0 where the size is unknown, as for a pipe. */
  bytesTotal: number;
}

/**
 * @param progress is updated while the file is read
 * @returns the decompressed text of a UTF-8 file, in chunks
 * @throws ImportError when the file doesn't exist, can't be decompressed, or is UTF-16
 */
export async function* readText(file: string, progress: ReadProgress): AsyncGenerator<string> {
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
export async function readBytes(file: string, progress: ReadProgress): Promise<AsyncIterable<Buffer>> {
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
export async function sizeOf(file: string): Promise<number> {
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
