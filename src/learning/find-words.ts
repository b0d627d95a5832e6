// Finds the terms of words by their ids. Words outside the sample of a large deck are read from PostgreSQL
// and cached, since the same words are often due for many users. [contract 13]
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/postgres/postgres.ts';
import type { PlayableList } from '../vocabulary/lists/store.ts';
import type { Pool, Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { findTermsOfWords } from './due-words.ts';
import type { PoolWords } from './word-ids.ts';

/** A word that can be asked. */
export interface AskableWord {
  terms: readonly Term[];
  /** The accepted translations of its prompt, for a word outside the pool. */
  accepted?: ReadonlySet<string>;
}

/** The number of words that are cached for a pool. Beyond it the least recently used one is evicted. */
const MAX_CACHED = 500;
/** The time, in ms, for which such a word is cached. A pool is refreshed after the same time. */
const CACHED_MS = 60_000;
const outsideWords = new WeakMap<Pool, LRUCache<string, AskableWord>>();

/**
 * @param userId the user who has learned the words
 * @param words the deck or list of the pool
 * @returns a function that returns the words with these ids in the same order, without those that can't be
 *   asked
 */
export function wordFinder(
  db: Database,
  userId: string,
  words: Deck | PlayableList,
  pool: Pool,
  poolWords: PoolWords,
): (ids: readonly string[]) => Promise<AskableWord[]> {
  const wordOfPool = (id: string): AskableWord | undefined => {
    const terms = poolWords.terms.get(id);
    return terms && poolWords.askable.has(id) ? { terms } : undefined;
  };
  if ('listId' in words || pool.isWhole) return async (ids) => ids.flatMap((id) => wordOfPool(id) ?? []);

  const outside = outsideWords.get(pool) ?? new LRUCache({ max: MAX_CACHED, ttl: CACHED_MS });
  outsideWords.set(pool, outside);
  return async (ids) => {
    const found = new Map(ids.map((id) => [id, wordOfPool(id) ?? outside.get(id)]));
    const missing = ids.filter((id) => !found.get(id));
    const read = missing.length > 0 ? await findTermsOfWords(db, userId, words, missing) : [];
    for (const { word, terms, accepted } of read) {
      found.set(word, { terms, accepted: new Set(accepted) });
      outside.set(word, found.get(word));
    }
    return ids.flatMap((id) => found.get(id) ?? []).filter(({ terms }) => terms.length > 0);
  };
}

/** @returns by prompt the accepted translations of the words outside the pool */
export function acceptedOf(words: readonly AskableWord[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    words.flatMap(({ terms: [term], accepted }) => (term && accepted ? [[term.sourceKey, accepted] as const] : [])),
  );
}
