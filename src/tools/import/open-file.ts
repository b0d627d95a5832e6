// Opens a file of terms, and recognises its format by its name or its beginning.
import { basename } from 'node:path';
import { type DeckDefaults, directionOf, type FoundSource } from './dictionary.ts';
import { readRecords } from './formats.ts';
import { type ReadProgress, readLines, readText, sizeOf } from './lines.ts';
import type { ReadRecord } from './source-record.ts';
import { readTei } from './tei.ts';
import { WIKTIONARY } from './wiktextract.ts';

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
  const isWiktionary = beginning.startsWith('{') && /"lang_code"\s*:/.test(beginning);
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
