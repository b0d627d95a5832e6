// Questions for a game, of one player or many.
import { randomUUID } from 'node:crypto';
import { commitmentOf, newNonce } from '../fairness/seal.ts';
import type { ListHead } from './lists/store.ts';
import type { Pools } from './pools.ts';
import { inRandomOrder, type RandomInt } from './random-order.ts';
import {
  buildQuestions,
  type KeyedQuestion,
  type Pool,
  type SealedQuestion,
  type Term,
} from './rules.ts';
import type { Deck } from './schema.ts';

/** What drawing needs. */
export interface DrawDeps {
  pools: Pick<Pools, 'pool'>;
  random: RandomInt;
}

/**
 * Draws `count` different questions from a deck or a list, without SQL when it was used before; at
 * random, unless `arrange` says otherwise.
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function drawQuestions(
  { pools, random }: DrawDeps,
  words: Deck | ListHead,
  count: number,
  arrange: Arrange = async (pool) => ({ terms: inRandomOrder(pool.terms, random) }),
): Promise<SealedQuestion[]> {
  const pool = await pools.pool(words);
  const { terms, accepted } = await arrange(pool);
  const options = { pool, terms, accepted, count, random, newId: randomUUID };
  return buildQuestions(options).map(seal);
}

/** Says in which order the terms of a pool are tried. */
export type Arrange = (pool: Pool) => Promise<{
  terms: Iterable<Term>;
  /** What is right for prompts that the pool does not hold. */
  accepted?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}>;

/** Commits to a question's right option before anybody sees it. [contract 12] */
export function seal({ question, correctOptionId }: KeyedQuestion): SealedQuestion {
  const nonce = newNonce();
  const commitment = commitmentOf(question.questionId, correctOptionId, nonce);
  return { question: { ...question, commitment }, correctOptionId, nonce };
}
