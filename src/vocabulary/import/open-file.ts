// A file of terms, in whichever of the formats that can be imported.
import { basename } from 'node:path';
import { isDictd, readDictd } from './dictd.ts';
import { directionOf, type FoundSource, type Given } from './dictionary.ts';
import { type ReadLine, readRecords } from './formats.ts';
import { type ReadProgress, readLines, readText, sizeOf } from './lines.ts';
import { readTei } from './tei.ts';
import { WIKTIONARY } from './wiktextract.ts';

/** A file that is about to be read. */
export interface OpenFile {
  /** What it says of where its terms come from; complete before the first of them is read. */
  found: FoundSource;
  lines: AsyncIterable<ReadLine>;
  /** Whether it can say how difficult its terms are. */
  hasLevels: boolean;
}

/**
 * @param progress is kept up to date while it is read
 * @param given what the command line says of its terms
 * @throws ImportError when there is no such file, or it isn't one that can be imported
 */
export async function openFile(
  file: string,
  progress: ReadProgress,
  given: Given,
): Promise<OpenFile> {
  const found: FoundSource = {};
  if (isDictd(file))
    return { found, lines: readDictd(file, progress, given, found), hasLevels: false };
  const beginning = await beginningOf(file);
  if (beginning.startsWith('<')) {
    const direction = directionOf(basename(file));
    const lines = readTei(readText(file, progress), { ...direction, ...given }, found);
    return { found, lines, hasLevels: false };
  }
  const isWiktionary = beginning.startsWith('{') && /"lang_code"\s*:/.test(beginning);
  const lines = readRecords(readLines(file, progress), given);
  return { found: isWiktionary ? WIKTIONARY : found, lines, hasLevels: !isWiktionary };
}

/** Nothing of a pipe, which can be read only once: what comes through one has lines. */
async function beginningOf(file: string): Promise<string> {
  if ((await sizeOf(file)) === 0) return '';
  let beginning = '';
  for await (const text of readText(file, { bytesRead: 0, bytesTotal: 0 })) {
    beginning = (beginning + text).replace(/^\uFEFF/, '').trimStart();
    if (beginning.length > 0) break;
  }
  return beginning;
}
