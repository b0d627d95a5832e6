// The ids of words in PostgreSQL: hashes, since texts are too long for the largest table's key. [contract 13]
import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { ListVersion } from '../vocabulary/lists/store.ts';
import type { Pools } from '../vocabulary/pools.ts';
import type { Pool, Term, WordText } from '../vocabulary/rules.ts';
import { canBeAsked, listOfName, wordKey, wordsName } from '../vocabulary/rules.ts';
import type { AnswerMode } from '../vocabulary/schema.ts';

/** @returns the beginning of a SHA-256 hash of a `wordsName` and a `wordKey` as a UUID */
export function wordId(words: string, key: string): string {
  const hash = createHash('sha256').update(`${words}\n${key}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The reference of a judgement to its word: texts for a word of a deck, the id for a word of a list. */
export type WordReference = WordText | { id: string };

/**
 * @returns the id for a word of a list, whose texts may be long; the texts for a word of a deck, by which its
 *   terms are found
 */
export function referenceTo(words: string, { prompt, gloss }: WordText): WordReference {
  if (listOfName(words)) return { id: wordId(words, wordKey({ prompt, gloss })) };
  return { prompt, ...(gloss !== undefined && { gloss }) };
}

/** @returns whether the reference is that of a word of the same deck or list */
export function isReferenceTo(reference: WordReference, words: string, word: WordText): boolean {
  const key = wordKey(word);
  return 'id' in reference ? reference.id === wordId(words, key) : wordKey(reference) === key;
}

export type PoolWords = ReturnType<typeof computeWords>;

/** A pool never changes, so that its words are computed once for each mode. */
const cached: Record<AnswerMode, WeakMap<Pool, PoolWords>> = { choice: new WeakMap(), typed: new WeakMap() };

/**
 * @param words the name of the pool's deck or list
 * @param answerMode in which mode the words are asked: each word can be typed, but not each has wrong options
 */
export function wordsOfPool(words: string, pool: Pool, answerMode: AnswerMode = 'choice'): PoolWords {
  const found = cached[answerMode].get(pool) ?? computeWords(words, pool, answerMode);
  cached[answerMode].set(pool, found);
  return found;
}

/**
 * @returns by the word's id its terms, one for each accepted translation, and the ids of the words that can be asked,
 *   whose order, that of hashes, is as good as random
 */
function computeWords(words: string, pool: Pool, answerMode: AnswerMode) {
  const byId = [...Map.groupBy(pool.terms, pool.promptOf)].map(([key, terms]) => [wordId(words, key), terms] as const);
  const asked = answerMode === 'typed' ? byId : byId.filter(([, [term]]) => term && canBeAsked(pool, term));
  const ids = asked.map(([id]) => id).toSorted();
  return { terms: new Map<string, readonly Term[]>(byId), ids, askable: new Set(ids) };
}

/** @returns the words of a list that the user may play; null if it was deleted meanwhile */
export async function wordsOfList(pools: Pools, list: ListVersion): Promise<(PoolWords & { pool: Pool }) | null> {
  try {
    const pool = await pools.pool(list);
    return { ...wordsOfPool(wordsName(list), pool), pool };
  } catch (error) {
    if (error instanceof AppError && error.code === 'LIST_NOT_FOUND') return null;
    throw error;
  }
}
