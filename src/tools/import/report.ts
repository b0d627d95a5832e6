// Tells the operator how far an import is, and its outcome at the end.
import type { ImportResult } from './import-terms.ts';

export interface ImportProgress {
  lines: number;
  bytesRead: number;
  /** 0 for the built-in lists. */
  bytesTotal: number;
}

/** @returns a text such as `120,000 terms read, 48 %, 21,000 a second` */
export function describeProgress(progress: ImportProgress, elapsedMs: number): string {
  const { lines, bytesRead, bytesTotal } = progress;
  if (bytesTotal > 0 && bytesRead >= bytesTotal) return `${number(lines)} terms read, now their questions are counted`;
  const share = bytesTotal > 0 ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : '';
  const rate = Math.round((1000 * lines) / Math.max(elapsedMs, 1));
  return `${number(lines)} terms read${share}, ${number(rate)} a second`;
}

// Formats the report of an import for the terminal.

/** Lists on stderr the lines that were left out, with their problems. */
export function reportLeftOut({ bad, skipped, committed }: ImportResult): void {
  for (const { file, line, problem } of bad.first) console.error(`${file ? `${file}, ` : ''}line ${line}: ${problem}`);
  if (bad.count > bad.first.length) console.error(`… and ${number(bad.count - bad.first.length)} more`);
  for (const [reason, count] of Object.entries(skipped)) console.error(`Passed over ${number(count)}: ${reason}.`);
  if (bad.count === 0) return;
  const lines = bad.count === 1 ? '1 bad line' : `${number(bad.count)} bad lines`;
  console.error(committed ? `Left out ${lines}.` : 'Nothing was imported because of it.');
}

/** @returns the outcome of an import, in a line */
export function summaryOf(result: ImportResult, durationMs: number): string {
  const { inserted, updated, unchanged, removed } = result;
  const gone = removed > 0 ? `, ${number(removed)} removed` : '';
  const counts = `${number(inserted)} new, ${number(updated)} updated, ${number(unchanged)} unchanged${gone} terms`;
  return `${counts} in ${(durationMs / 1000).toFixed(1)} s.`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}
