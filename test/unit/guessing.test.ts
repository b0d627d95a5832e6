// The right option can't be told without knowing the words: measured over part of the built-in decks;
// `npm run bench guesses` does it over all of them. [contract 3]
import { expect, test } from 'vitest';
import type { Pool } from '../../src/vocabulary/rules.ts';
import { readBuiltInDecks } from '../support/built-in-decks.ts';
import { askDeck, guesses, tableOf } from '../support/guessing.ts';
import { seeded } from '../support/seeded.ts';

/** Of 480: no part of speech, level or direction is left out. */
const EVERY = 7;
const GAMES = 10;
const CHANCE = 25;
/** The goal over all decks. */
const POINTS = 3;
/** What so few questions of one direction may be off by chance, though their seed is fixed. */
const OFF = 1.5;
/** Between these languages most words look like their translations. */
const ALIKE = ['it es', 'it fr', 'es it', 'es fr', 'fr it', 'fr es'];

const decks = await readBuiltInDecks();

/** @returns what tells the right option more than `points` better than chance does */
function tellTales(pools: Pool[], points: number) {
  const random = seeded(20_261_122);
  const table = guesses(pools.flatMap((pool) => askDeck(pool, GAMES, random)));
  console.log(tableOf(table));
  return table.filter(({ most, least }) => Math.max(most, least) > CHANCE + points);
}

test('the right option has the most or the least of anything no more often than chance has it, in 100 questions of the built-in words some 25 times', () => {
  const pools = [...decks.values()].filter((_, at) => at % EVERY === 0);
  expect(tellTales(pools, POINTS)).toEqual([]);
});

test.each(ALIKE)('nor where most words look like their translations: %s', (direction) => {
  const pools = [...decks].flatMap(([name, pool]) => (name.startsWith(direction) ? [pool] : []));
  expect(tellTales(pools, POINTS + OFF)).toEqual([]);
});
