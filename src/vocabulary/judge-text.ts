// Judges typed answers, in every mode. An answer is compared with the accepted translations of its question. Only where
// it is close to one is it looked up among the other translations of the deck or list. [contract 20]
import { canonicalOf, canonicalsOf } from '../judging/forms.ts';
import { type AnswerKey, canonicalKeyOf, type Verdict, verdictOf } from '../judging/verdict.ts';
import { isOutage, withTimeout } from '../platform/outages/outage.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { toWord, type WordText, wordKey } from './rules.ts';
import { findByTranslation, type Translation } from './store.ts';

export interface TypedQuestion {
  /** The `wordsName` of the deck or list. */
  words: string;
  key: AnswerKey;
  isAsked(word: WordText): boolean;
}

/** @returns `TypedQuestion.isAsked` of a question whose prompt is known */
export function isAskedBy(question: WordText): TypedQuestion['isAsked'] {
  const asked = wordKey(question);
  return (word) => wordKey(word) === asked;
}

/** The longest time for the look-up, in ms. Beyond it the answer stays close, since a round of a game may end meanwhile. */
const LOOK_UP_MS = 500;

/**
 * An answer that is close is wrong if it equals a translation of another prompt that the deck or list has now. It stays
 * close if the list is deleted, or PostgreSQL is away or slow: no answer is lost for that.
 * @param text an answer whose length is checked
 * @throws what PostgreSQL throws for any other reason than being away
 */
export async function judgeText(
  { postgres }: { postgres: Postgres },
  { words, key, isAsked }: TypedQuestion,
  text: string,
): Promise<Verdict> {
  const verdict = verdictOf(text, key);
  if (verdict !== 'close') return verdict;
  const { language } = key;
  const lookUp = withTimeout(findByTranslation(postgres, words, canonicalKeyOf(text, language)), LOOK_UP_MS);
  const found = await lookUp.catch((error: unknown) => {
    if (isOutage(error)) return [];
    throw error;
  });
  const answer = canonicalOf(text, language);
  // Different texts may have the same key.
  const isEqual = ({ targetText }: Translation) => canonicalsOf(targetText, language).includes(answer);
  // A further translation of the asked prompt, which is not accepted, never counts as another prompt's.
  const { own = [], others = [] } = Object.groupBy(found, (term) => (isAsked(toWord(term)) ? 'own' : 'others'));
  return !own.some(isEqual) && others.some(isEqual) ? 'wrong' : 'close';
}
