// A file as text, whatever its size: read piece by piece and never held whole; unpacked on the way when
// it is packed with gzip, as dictionaries are published.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.ts';

/** A file without line breaks must not fill the memory. A dictionary's longest entry is far shorter. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** How far reading has come, for whoever shows it. */
export interface ReadProgress {
  bytesRead: number;
  /** 0 when it isn't known, as of a pipe. */
  bytesTotal: number;
}

/**
 * @param progress is kept up to date while the file is read
 * @returns the pieces of a UTF-8 file, unpacked
 * @throws ImportError when there is no such file, or it isn't text of this kind
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
 * @param progress is kept up to date while the lines are read
 * @returns the lines of a UTF-8 file without their ends
 * @throws ImportError as readText does
 */
export async function* readLines(file: string, progress: ReadProgress): AsyncGenerator<string> {
  let rest = '';
  for await (const text of readText(file, progress)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ImportError('This is not a list of terms: it has a line without end.');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}

/**
 * @param progress is kept up to date while it is read
 * @returns the bytes of a file, unpacked
 * @throws ImportError when there is no such file, or it can't be unpacked
 */
export async function readBytes(
  file: string,
  progress: ReadProgress,
): Promise<AsyncIterable<Buffer>> {
  progress.bytesTotal = await sizeOf(file);
  progress.bytesRead = 0;
  const isPacked = await startsPacked(file, progress.bytesTotal);
  const stored = createReadStream(file);
  stored.on('data', (chunk) => {
    progress.bytesRead += chunk.length;
  });
  if (!isPacked) return stored;
  const gunzip = createGunzip();
  // What goes wrong is thrown to whoever reads.
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

/** @returns a file's size in bytes; 0 when it isn't known, as of a pipe */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new ImportError(`There is no file ${file}.`);
    throw new ImportError(`${file} can't be read: ${error.message}`);
  });
  if (found.isDirectory()) throw new ImportError(`${file} is a folder: name a file in it.`);
  return found.size;
}

/** @param size 0 for a pipe, which can't be looked into */
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
