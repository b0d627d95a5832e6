// A guesser without knowledge of the words gains nothing: measured on a part of the built-in decks. [contract 3]
import { expect, test } from 'vitest';
import { betterThanChance } from '../support/guessing.ts';
import { readBuiltInDecks } from '../support/terms.ts';

/** Every nineteenth of the 480 decks is measured, which leaves out no part of speech and no level. */
const EVERY = 19;
/** The number of games of ten questions that are drawn from each deck. */
const GAMES = 10;
/**
 * The percentage points above chance that are allowed. Only the preferred translation is asked, and where it is a cognate
 * of the prompt, it mostly resembles the prompt more than any other word of the deck does. [contract 26]
 */
const POINTS_MAX = 6;

test('a trait predicts the right option hardly better than chance: in 100 questions 31 times at most', async () => {
  const pools = [...(await readBuiltInDecks()).values()].filter((_, at) => at % EVERY === 0);
  expect(betterThanChance(pools, GAMES, POINTS_MAX)).toEqual([]);
});
