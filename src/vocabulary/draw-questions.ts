// Draws questions for a quiz or a game.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { commitmentOf, newNonce } from '../fairness/seal.ts';
import type { Database } from '../platform/postgres/postgres.ts';
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
import type { Deck, Question } from './schema.ts';
import { type DrawnTyped, drawTyped } from './typed/draw-typed.ts';
import type { AnswerMode } from './typed/schema.ts';

interface DrawOptions {
  /** By default `choice`. */
  answerMode?: AnswerMode;
  /** By default the order is random. */
  arrange?: Arrange;
  /** By default nonces are random. */
  nonceFor?: NonceFor;
}

/** @returns the nonce of a question's commitment */
type NonceFor = (questionId: string) => string;

/** The dependencies of drawing. */
export interface DrawDeps {
  db: Database;
  pools: Pick<Pools, 'pool'>;
  random: RandomInt;
}

/**
 * Draws `count` different questions from a deck or a list. It takes no SQL when the pool is in memory, apart from
 * typed questions of a deck that is too large to be there as a whole.
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function drawQuestions(
  { db, pools, random }: DrawDeps,
  words: Deck | PlayableList,
  count: number,
  { answerMode = 'choice', arrange, nonceFor = newNonce }: DrawOptions = {},
): Promise<SealedQuestion[]> {
  // The counts are in the list's row, so that a list with too few terms needn't be loaded.
  if ('listId' in words) requireSupply(words.supply, count, answerMode);
  const pool = await pools.pool(words);
  const { terms, accepted } = (await arrange?.(pool)) ?? { terms: inRandomOrder(pool.terms, random) };
  if (answerMode === 'typed') {
    const drawn = await drawTyped(db, { pool, terms, count });
    return drawn.map((question) => sealTyped(question, nonceFor));
  }
  const options = { pool, terms, accepted, count, random, newId: randomUUID };
  const questions: SealedQuestion[] = [];
  let turnBeganMs = performance.now();
  for (const question of buildQuestions(options)) {
    questions.push(seal(question, nonceFor));
    if (performance.now() - turnBeganMs < TURN_MS) continue;
    await setImmediate();
    turnBeganMs = performance.now();
  }
  return questions;
}

/** After so many ms the event loop takes another turn. [contract 17: at most 10 ms] */
const TURN_MS = 4;

/** @returns the order in which the terms of a pool are tried */
export type Arrange = (pool: Pool) => Promise<{
  terms: Iterable<Term>;
  /** Accepted translations of prompts that the pool doesn't contain. */
  accepted?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}>;

/** Adds the commitment to a question's right option, and the nonce that opens it. [contract 12] */
export function seal(
  { question, correctOptionId }: KeyedQuestion,
  nonceFor: NonceFor = newNonce,
): SealedQuestion & { correctOptionId: number } {
  const nonce = nonceFor(question.questionId);
  const commitment = commitmentOf(question.questionId, correctOptionId, nonce);
  return { question: { ...question, commitment }, correctOptionId, nonce };
}

/** Makes a typed question, with the commitment to its right text. [contract 20] */
function sealTyped({ term, accepted }: DrawnTyped, nonceFor: NonceFor): SealedQuestion {
  const [correctText = ''] = accepted;
  const questionId = randomUUID();
  const nonce = nonceFor(questionId);
  const question: Question = {
    questionId,
    prompt: term.sourceText,
    ...(term.sourceGloss === null ? {} : { gloss: term.sourceGloss }),
    answerMode: 'typed',
    commitment: commitmentOf(questionId, correctText, nonce),
  };
  return { question, accepted, nonce };
}
