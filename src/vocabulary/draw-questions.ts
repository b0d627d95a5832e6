// Questions for a game, of one player or many.
import { randomUUID } from 'node:crypto';
import type { Pools } from './pools.ts';
import { buildQuestions, type KeyedQuestion, type RandomInt } from './rules.ts';
import type { Deck } from './schema.ts';

/** What drawing needs. */
export interface DrawDeps {
  pools: Pick<Pools, 'pool'>;
  random: RandomInt;
}

/**
 * Draws `count` different questions from a deck, without SQL when the deck was used before.
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function drawQuestions(
  { pools, random }: DrawDeps,
  deck: Deck,
  count: number,
): Promise<KeyedQuestion[]> {
  const pool = await pools.pool(deck);
  return buildQuestions({ pool, count, random, newId: randomUUID });
}
