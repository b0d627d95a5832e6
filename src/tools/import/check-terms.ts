// Counts what an import of a file would write, without a database (--dry-run).
import { wordsName } from '../../vocabulary/rules.ts';
import { type ImportCounts, newCounts, parseOrCount } from './import-counts.ts';
import type { ReadRecord } from './source-record.ts';

/** The counts of a check, with the number of terms by deck. */
export interface CheckResult extends ImportCounts {
  terms: number;
  decks: Map<string, number>;
}

/**
 * @param options.strict whether the check ends at the first malformed line
 * @param options.progress is updated while records are read
 */
export async function checkTerms(
  lines: AsyncIterable<ReadRecord>,
  { strict = false, progress = { lines: 0 } }: { strict?: boolean; progress?: { lines: number } },
): Promise<CheckResult> {
  const result: CheckResult = { ...newCounts(), terms: 0, decks: new Map() };
  for await (const line of lines) {
    result.lines += 1;
    progress.lines = result.lines;
    const term = parseOrCount(result, line);
    if (strict && result.bad.count > 0) break;
    if (!term) continue;
    const deck = wordsName(term.deck);
    result.terms += 1;
    result.decks.set(deck, (result.decks.get(deck) ?? 0) + 1);
  }
  return result;
}
