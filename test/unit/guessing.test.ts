// The right option can't be told without knowing the words: measured over every so many built-in deck;
// `npm run bench guesses` does it over all of them. [contract 3]
import { expect, test } from 'vitest';
import { readBuiltInDecks } from '../support/built-in-decks.ts';
import { askDeck, guesses, tableOf } from '../support/guessing.ts';
import { seeded } from '../support/seeded.ts';

/** Of 480: no part of speech, level or direction is left out. */
const EVERY = 7;
const GAMES = 15;
const CHANCE = 25;
/** Three points are the goal over all decks; a sample of them is a point or so off. */
const POINTS = 4;

test('the right option has the most or the least of anything no more often than chance has it, in 100 questions of the built-in words some 25 times', async () => {
  const decks = [...(await readBuiltInDecks()).values()].filter((_, at) => at % EVERY === 0);
  const random = seeded(20_261_122);
  const table = guesses(decks.flatMap((pool) => askDeck(pool, GAMES, random)));
  console.log(tableOf(table));
  const tellsMore = table.filter(({ most, least }) => Math.max(most, least) > CHANCE + POINTS);
  expect(tellsMore).toEqual([]);
});
