// Builds terms, reads the built-in ones, and draws questions from them, for tests of the rules.
import { readBuiltIn } from '../../src/tools/import/built-in.ts';
import { parseTerm } from '../../src/tools/import/term-record.ts';
import { createRandom } from '../../src/tools/prove/random.ts';
import type { RandomInt } from '../../src/vocabulary/random-order.ts';
import { buildQuestions, normalise, type Pool, preparePool, type Term, wordsName } from '../../src/vocabulary/rules.ts';

export type TermTexts = Pick<Term, 'sourceText' | 'targetText' | 'sourceGloss'>;

/** @returns a term as the database stores it, with its keys for comparison */
export function stored({ sourceText, targetText, sourceGloss }: TermTexts): Term {
  const keys = { sourceKey: normalise(sourceText), targetKey: normalise(targetText) };
  return { sourceText, targetText, sourceGloss, field: null, ...keys };
}

export const words = (count: number, prefix = 'w') =>
  Array.from({ length: count }, (_, at) => {
    return { sourceText: `${prefix}${at}`, targetText: `t-${prefix}${at}`, sourceGloss: null };
  });

/** @returns the questions of a game that the seed determines */
export function play(pool: Pool, count: number, seed = 1) {
  const random = seeded(seed);
  let id = 0;
  return [...buildQuestions({ pool, count, random, newId: () => `question-${id++}` })];
}

/** @returns a deterministic substitute of Node.js's `randomInt`; the seed determines its numbers */
export function seeded(seed: number): RandomInt {
  const random = createRandom(seed);
  return (bound) => random.int(0, bound - 1);
}

/**
 * Reads the built-in lists without a database.
 * @returns the pool that a replica makes of each deck, by the deck's name, such as `en it noun A1`
 * @throws Error with the file and number of the first line that can't be imported
 */
export async function readBuiltInDecks(): Promise<Map<string, Pool>> {
  const terms: { deck: string; term: Term }[] = [];
  for await (const line of readBuiltIn()) {
    const term = 'fields' in line ? parseTerm(line) : JSON.stringify(line);
    if (typeof term === 'string') throw new Error(`${line.file}:${line.line}: ${term}`);
    terms.push({ deck: wordsName(term.deck), term });
  }
  const directions = Map.groupBy(terms, ({ deck }) => directionOf(deck));
  const termsOf = (found: typeof terms = []) => found.map(({ term }) => term);
  const decks = Map.groupBy(terms, ({ deck }) => deck);
  return new Map(
    [...decks].map(([deck, own]) => [deck, preparePool(termsOf(own), termsOf(directions.get(directionOf(deck))))]),
  );
}

const directionOf = (deck: string) => deck.split(' ').slice(0, 2).join(' ');
