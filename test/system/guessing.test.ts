// A guesser without knowledge of the words gains nothing where most words look like their translations.
// [contract 3]
import { expect, test } from 'vitest';
import { readBuiltInDecks } from '../support/built-in-decks.ts';
import { betterThanChance } from '../support/guessing.ts';

/** The number of games of ten questions that are drawn from each deck. */
const GAMES = 10;
/**
 * The percentage points above chance that are allowed: three, and what chance adds in one direction. The seed
 * is fixed.
 */
const POINTS_MAX = 4.5;
const SIMILAR_LANGUAGES = ['it es', 'it fr', 'es it', 'es fr', 'fr it', 'fr es'];

const decks = await readBuiltInDecks();

test.each(SIMILAR_LANGUAGES)('a trait predicts the right option no better than chance: %s', (direction) => {
  const pools = [...decks].flatMap(([name, pool]) => (name.startsWith(direction) ? [pool] : []));
  expect(betterThanChance(pools, GAMES, POINTS_MAX)).toEqual([]);
});
