// What an import would find in a file, without a database.
import { wordsName } from '../rules.ts';
import type { ReadLine } from './formats.ts';
import { createTally, type Tally, termOrNote } from './tally.ts';

/** What was found, with how many terms of each deck. */
export interface CheckResult extends Tally {
  terms: number;
  decks: Map<string, number>;
}

/**
 * @param options.strict whether the first bad line ends it
 * @param options.progress kept up to date, for whoever shows it
 */
export async function checkTerms(
  lines: AsyncIterable<ReadLine>,
  { strict = false, progress = { lines: 0 } }: { strict?: boolean; progress?: { lines: number } },
): Promise<CheckResult> {
  const result: CheckResult = { ...createTally(), terms: 0, decks: new Map() };
  for await (const line of lines) {
    result.lines += 1;
    progress.lines = result.lines;
    const term = termOrNote(result, line);
    if (strict && result.bad.count > 0) break;
    if (!term) continue;
    const deck = wordsName(term.deck);
    result.terms += 1;
    result.decks.set(deck, (result.decks.get(deck) ?? 0) + 1);
  }
  return result;
}
