// Draws questions for a quiz or a game.
import { randomUUID } from 'node:crypto';
import { commitmentOf, newNonce } from '../fairness/seal.ts';
import type { PlayableList } from './lists/store.ts';
import type { Pools } from './pools.ts';
import { inRandomOrder, type RandomInt } from './random-order.ts';
import {
  buildQuestions,
  type KeyedQuestion,
  type Pool,
  requireSupply,
  type SealedQuestion,
  type Term,
} from './rules.ts';
import type { Deck } from './schema.ts';

/** The dependencies of drawing. */
export interface DrawDeps {
  pools: Pick<Pools, 'pool'>;
  random: RandomInt;
}

/**
 * Draws `count` different questions from a deck or a list. It takes no SQL when the pool is in memory. The
 * order is random, unless `arrange` gives another one.
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function drawQuestions(
  { pools, random }: DrawDeps,
  words: Deck | PlayableList,
  count: number,
  arrange: Arrange = async (pool) => ({ terms: inRandomOrder(pool.terms, random) }),
): Promise<SealedQuestion[]> {
  // The counts are in the list's row, so that a list with too few terms needn't be loaded.
  if ('listId' in words) requireSupply(words.supply, count);
  const pool = await pools.pool(words);
  const { terms, accepted } = await arrange(pool);
  const options = { pool, terms, accepted, count, random, newId: randomUUID };
  return buildQuestions(options).map(seal);
}

/** @returns the order in which the terms of a pool are tried */
export type Arrange = (pool: Pool) => Promise<{
  terms: Iterable<Term>;
  /** Accepted translations of prompts that the pool doesn't contain. */
  accepted?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}>;

/** Adds the commitment to a question's right option, and the nonce that opens it. [contract 12] */
export function seal({ question, correctOptionId }: KeyedQuestion): SealedQuestion {
  const nonce = newNonce();
  const commitment = commitmentOf(question.questionId, correctOptionId, nonce);
  return { question: { ...question, commitment }, correctOptionId, nonce };
}
