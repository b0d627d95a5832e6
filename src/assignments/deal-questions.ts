// Deals an assignment's questions for one attempt: their order, that of their options, and the nonces are derived from
// the attempt's secret. So an attempt is as small as its answers, and nothing judged in one tells of another.
// [contract 12, 21]
import { commitmentOf, derive, nonceOf } from '../fairness/seal.ts';
import type { Question } from '../vocabulary/schema.ts';
import { optionsOf, type StoredQuestion } from './rules.ts';

/** A question as one attempt asks it, with what its judgement reveals. */
export interface DealtQuestion {
  question: Question;
  nonce: string;
  /** By the id of an option its place among all of the question; empty where the answer is typed. */
  places: readonly number[];
}

/** @returns the questions in the order of the attempt */
export function dealQuestions(questions: readonly StoredQuestion[], secret: string): DealtQuestion[] {
  return inOrder(questions, ({ questionId }) => derive(secret, `place of ${questionId}`)).map((question) =>
    dealQuestion(question, secret),
  );
}

/** @param secret 32 random bytes as base64url, from a cryptographic source */
export function dealQuestion(stored: StoredQuestion, secret: string): DealtQuestion {
  const { questionId, prompt, gloss, correctText, further } = stored;
  const nonce = nonceOf(secret, questionId);
  const asked = { questionId, prompt, ...(gloss === undefined ? {} : { gloss }) };
  if (further) {
    const commitment = commitmentOf(questionId, correctText, nonce);
    return { question: { ...asked, answerMode: 'typed', commitment }, nonce, places: [] };
  }
  const texts = optionsOf(stored);
  const places = inOrder([...texts.keys()], (place) => derive(secret, `option ${place} of ${questionId}`));
  const options = places.map((place, optionId) => ({ optionId, text: texts[place] ?? '' }));
  const commitment = commitmentOf(questionId, places.indexOf(0), nonce);
  return { question: { ...asked, options, commitment }, nonce, places };
}

/** Orders items by numbers as good as random, which gives each order with the same probability. */
function inOrder<T>(items: readonly T[], rankOf: (item: T) => Buffer): T[] {
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((one, other) => one.rank.compare(other.rank))
    .map(({ item }) => item);
}
