// Formats the report of an import for the terminal.
import type { CheckResult } from './check-terms.ts';
import type { ImportCounts } from './import-counts.ts';
import type { ImportResult } from './import-terms.ts';

/** Lists on stderr the lines that were left out, with their problems. */
export function reportLeftOut({ bad, skipped }: ImportCounts, committed: boolean): void {
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

/** @returns the number of terms of each deck that an import would write */
export function checkSummaryOf({ terms, decks }: CheckResult): string {
  const lines = [...decks].map(([deck, count]) => `${deck}: ${number(count)}`);
  return [...lines, `${number(terms)} terms could be imported; nothing was written.`].join('\n');
}

export function number(value: number): string {
  return value.toLocaleString('en');
}
