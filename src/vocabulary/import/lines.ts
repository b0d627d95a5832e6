// A file as lines, whatever its size: read piece by piece and never held whole.
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ImportError } from './import-error.ts';

/** No term comes near it; a file without line breaks must not fill the memory. */
const MAX_LINE_CHARACTERS = 16_384;

/** How far reading has come, for whoever shows it. */
export interface ReadProgress {
  bytesRead: number;
  /** 0 when it isn't known, as of a pipe. */
  bytesTotal: number;
}

/**
 * @param progress is kept up to date while the lines are read
 * @returns the lines of a UTF-8 file without their ends
 * @throws ImportError when there is no such file, or it isn't text of this kind
 */
export async function* readLines(file: string, progress: ReadProgress): AsyncGenerator<string> {
  progress.bytesTotal = await sizeOf(file);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of createReadStream(file) as ReadStream & AsyncIterable<Buffer>) {
    if (progress.bytesRead === 0) refuseUtf16(chunk);
    progress.bytesRead += chunk.length;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ImportError('This is not a list of terms: it has a line without end.');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new ImportError(`There is no file ${file}.`);
    throw new ImportError(`${file} can't be read: ${error.message}`);
  });
  if (found.isDirectory()) throw new ImportError(`${file} is a folder: name a file in it.`);
  return found.size;
}

function refuseUtf16(chunk: Buffer): void {
  const mark = chunk.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff')
    throw new ImportError('The file is UTF-16: save it as UTF-8 and import it again.');
}
