// What a guesser without knowledge of the words gains where most words look like their translations is bounded.
// [contract 3, 26]
import { expect, test } from 'vitest';
import { betterThanChance } from '../support/guessing.ts';
import { readBuiltInDecks } from '../support/terms.ts';

/** The number of games of ten questions that are drawn from each deck. */
const GAMES = 10;
/**
 * The percentage points above chance that are allowed. The preferred translation alone is asked, which between these
 * languages often is a cognate that no other word of the deck resembles the prompt as much as. The seed is fixed.
 */
const POINTS_MAX = 20;
const SIMILAR_LANGUAGES = ['it es', 'it fr', 'es it', 'es fr', 'fr it', 'fr es'];

const decks = await readBuiltInDecks();

test.each(SIMILAR_LANGUAGES)('a trait predicts the right option of 45 in 100 questions at most: %s', (direction) => {
  const pools = [...decks].flatMap(([name, pool]) => (name.startsWith(direction) ? [pool] : []));
  expect(betterThanChance(pools, GAMES, POINTS_MAX)).toEqual([]);
});
