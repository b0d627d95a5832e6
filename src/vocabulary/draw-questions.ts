// Draws questions for a quiz, a game or an assignment, chosen or typed ones. Drawing typed ones compares nothing: which
// translations are accepted depends on the prompt alone. [contract 3, 20]
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BUDGETS } from '../budgets.ts';
import { commitmentOf, newNonce } from '../fairness/seal.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import type { PlayableList } from './lists/store.ts';
import { inRandomOrder } from './random-order.ts';
import * as rules from './rules.ts';
import type { AnswerMode, AskedDeck, Question } from './schema.ts';
import { findTranslations } from './store.ts';

/** Orders the terms of a pool; by default the order is random. */
export type Arrange = (pool: rules.Pool) => Promise<{
  terms: Iterable<rules.Term>;
  /** Accepted translations of prompts that the pool doesn't contain. */
  accepted?: rules.Pool['accepted'] | undefined;
}>;

/** The time, in ms, after which the event loop takes another turn. [contract 17: at most 10 ms] */
const TURN_MS = 4;

/**
 * Draws `count` different questions. It takes no SQL when the pool is in memory, apart from typed questions of a deck
 * that is too large to be there as a whole.
 * @throws AppError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
 */
export async function drawQuestions(
  { db, pools, random }: Pick<Services, 'db' | 'pools' | 'random'>,
  words: AskedDeck | PlayableList,
  count: number,
  options: { answerMode?: AnswerMode; arrange?: Arrange; nonceFor?: (questionId: string) => string } = {},
): Promise<rules.SealedQuestion[]> {
  const { answerMode = 'choice', arrange, nonceFor } = options;
  // The counts are in the list's row, so that a list with too few terms needn't be loaded.
  if ('listId' in words && words.supply) rules.requireSupply(words.supply, count, answerMode);
  const pool = await pools.pool(words);
  const { terms, accepted } = (await arrange?.(pool)) ?? { terms: inRandomOrder(pool.terms, random) };
  if (answerMode === 'typed') {
    const drawn = await drawTyped(db, pool, terms, count);
    return drawn.map((question) => seal(question, nonceFor));
  }
  const questions: rules.SealedQuestion[] = [];
  let turnBeganMs = performance.now();
  for (const question of rules.buildQuestions({ pool, terms, accepted, count, random, newId: randomUUID })) {
    questions.push(seal(question, nonceFor));
    if (performance.now() - turnBeganMs < TURN_MS) continue;
    await setImmediate();
    turnBeganMs = performance.now();
  }
  return questions;
}

/** Adds the commitment to a question's right option or text, and the nonce that opens it. [contract 12, 20] */
export function seal<Asked extends { question: Omit<Question, 'commitment'> } & rules.Solution>(
  asked: Asked,
  nonceFor: (questionId: string) => string = newNonce,
) {
  const { questionId } = asked.question;
  const nonce = nonceFor(questionId);
  const right = 'accepted' in asked ? (asked.accepted[0] as string) : asked.correctOptionId;
  return { ...asked, question: { ...asked.question, commitment: commitmentOf(questionId, right, nonce) }, nonce };
}

/**
 * @param terms the terms in the order in which they are asked; of each prompt the first one is
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS
 */
async function drawTyped(db: Database, pool: rules.Pool, terms: Iterable<rules.Term>, count: number) {
  rules.requireSupply(pool.supply, count, 'typed');
  const asked = new Map<string, rules.Term>();
  for (const term of terms) {
    const prompt = pool.promptOf(term);
    if (!asked.has(prompt)) asked.set(prompt, term);
    if (asked.size === count) break;
  }
  const byPrompt = await translationsOf(db, pool, asked.values());
  return [...asked].map(([prompt, term]) => {
    const ofPrompt = byPrompt.get(prompt) ?? [term];
    // PostgreSQL keeps no order of a deck's terms, and what is accepted must not change from start to start.
    const accepted = acceptedOf(pool.deckId === undefined ? ofPrompt : ofPrompt.toSorted(byTranslation));
    // A text that is not accepted is not asked.
    const correct = accepted.includes(term.targetText) ? term.targetText : (accepted[0] as string);
    return {
      question: { questionId: randomUUID(), ...rules.toWord(term), answerMode: 'typed' as const },
      /** The asked one at first, and then the others in the order of the deck or list. */
      accepted: [correct, ...accepted.filter((other) => other !== correct)],
    };
  });
}

/** The asked ones are the first. */
const byTranslation = (one: rules.Term, other: rules.Term) =>
  Number(rules.isAsked(other)) - Number(rules.isAsked(one)) || (one.targetKey < other.targetKey ? -1 : 1);

/** @returns by `promptKey` all translations of the drawn prompts; those of a large deck are not all in the pool */
async function translationsOf(db: Database, pool: rules.Pool, drawn: Iterable<rules.Term>) {
  const { deckId, isWhole, byPrompt, promptOf } = pool;
  if (isWhole || deckId === undefined) return byPrompt;
  const keys = Array.from(drawn, ({ sourceKey }) => sourceKey);
  return Map.groupBy(await findTranslations(db, deckId, keys), promptOf);
}

/**
 * @param ofPrompt all terms of one prompt with one gloss, in the order of the deck or list
 * @returns the first texts, as many as have room beside any of them, whichever of them is asked
 */
export function acceptedOf(ofPrompt: readonly Pick<rules.Term, 'targetText'>[]): string[] {
  const texts = [...new Set(ofPrompt.map(({ targetText }) => targetText))];
  let bytes = 0;
  let shortest = Number.POSITIVE_INFINITY;
  const end = texts.findIndex((text) => {
    const length = Buffer.byteLength(text);
    bytes += length;
    shortest = Math.min(shortest, length);
    return bytes - shortest > BUDGETS.acceptedTexts.max;
  });
  return end < 0 ? texts : texts.slice(0, end);
}
