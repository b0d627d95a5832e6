// Questions for a game, of one player or many.
import { randomUUID } from 'node:crypto';
import { commitmentOf, newNonce } from '../fairness/seal.ts';
import type { ListHead } from './lists/store.ts';
import type { Pools } from './pools.ts';
import {
  buildQuestions,
  type KeyedQuestion,
  type RandomInt,
  type SealedQuestion,
} from './rules.ts';
import type { Deck } from './schema.ts';

/** What drawing needs. */
export interface DrawDeps {
  pools: Pick<Pools, 'pool'>;
  random: RandomInt;
}

/**
 * Draws `count` different questions from a deck or a list, without SQL when it was used before.
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function drawQuestions(
  { pools, random }: DrawDeps,
  words: Deck | ListHead,
  count: number,
): Promise<SealedQuestion[]> {
  const pool = await pools.pool(words);
  return buildQuestions({ pool, count, random, newId: randomUUID }).map(seal);
}

/** Commits to a question's right option before anybody sees it. [contract 12] */
export function seal({ question, correctOptionId }: KeyedQuestion): SealedQuestion {
  const nonce = newNonce();
  const commitment = commitmentOf(question.questionId, correctOptionId, nonce);
  return { question: { ...question, commitment }, correctOptionId, nonce };
}
