// From the names of words to their terms. A replica holds a part of a large deck; of the words outside of
// it those that were asked for last are remembered for a while, since what is due to one is due to many.
// [contract 13]
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/postgres.ts';
import type { ListHead } from '../vocabulary/lists/store.ts';
import { canBeAsked, type Pool, type Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { findTermsOfWords } from './due-words.ts';
import type { PoolWords } from './word-ids.ts';

/** A word that can be asked. */
export interface Word {
  terms: readonly Term[];
  /** What is right for its prompt, where the pool does not know it. */
  accepted?: ReadonlySet<string>;
}

/** Of each pool. */
const MAX_REMEMBERED = 500;
/** As old as a pool may be. */
const REMEMBERED_MS = 60_000;
const remembered = new WeakMap<Pool, LRUCache<string, Word>>();

/**
 * @param userId has learned the words
 * @param words what the pool is of
 * @returns a function that gives the words with these names, in this order, but for those that can't be asked any more
 */
export function wordFinder(
  db: Database,
  userId: string,
  words: Deck | ListHead,
  pool: Pool,
  held: PoolWords,
): (ids: readonly string[]) => Promise<Word[]> {
  const heldWord = (id: string): Word | undefined => {
    const terms = held.terms.get(id);
    return terms?.[0] && canBeAsked(pool, terms[0]) ? { terms } : undefined;
  };
  if ('listId' in words || pool.isWhole)
    return async (ids) => ids.flatMap((id) => heldWord(id) ?? []);

  const outside = remembered.get(pool) ?? new LRUCache({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  remembered.set(pool, outside);
  return async (ids) => {
    const found = new Map(ids.map((id) => [id, heldWord(id) ?? outside.get(id)]));
    const missing = ids.filter((id) => !found.get(id));
    const read = missing.length > 0 ? await findTermsOfWords(db, userId, words, missing) : [];
    for (const { word, terms, accepted } of read) {
      found.set(word, { terms, accepted: new Set(accepted) });
      outside.set(word, found.get(word));
    }
    return ids.flatMap((id) => found.get(id) ?? []).filter(({ terms }) => terms.length > 0);
  };
}

/** @returns by prompt what is right for the words that their pool does not know */
export function acceptedOf(words: readonly Word[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    words.flatMap(({ terms: [term], accepted }) =>
      term && accepted ? [[term.sourceKey, accepted] as const] : [],
    ),
  );
}
