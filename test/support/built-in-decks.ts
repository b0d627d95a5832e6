// Reads the built-in lists without a database, as the pools of terms that a replica makes of their decks.

import { readBuiltIn } from '../../src/tools/import/built-in.ts';
import { parseTerm } from '../../src/tools/import/term-record.ts';
import { type Pool, preparePool, type Term, wordsName } from '../../src/vocabulary/rules.ts';

/**
 * @returns the pool of each deck by the deck's name, such as `en it noun A1`
 * @throws Error with the file and number of the first line that can't be imported
 */
export async function readBuiltInDecks(): Promise<Map<string, Pool>> {
  const decks = new Map<string, Term[]>();
  const directions = new Map<string, Term[]>();
  for await (const line of readBuiltIn()) {
    const term = 'fields' in line ? parseTerm(line) : line.problem;
    if (typeof term === 'string') throw new Error(`${line.file}:${line.line}: ${term}`);
    const deck = wordsName(term.deck);
    push(decks, deck, term);
    push(directions, directionOf(deck), term);
  }
  return new Map(
    [...decks].map(([deck, terms]) => [deck, preparePool(terms, directions.get(directionOf(deck)) ?? [])]),
  );
}

const directionOf = (deck: string) => deck.split(' ').slice(0, 2).join(' ');

function push(map: Map<string, Term[]>, key: string, term: Term): void {
  const terms = map.get(key);
  if (terms) terms.push(term);
  else map.set(key, [term]);
}
