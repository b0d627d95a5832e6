// What names a word in PostgreSQL: texts are too long for the key of the largest table. [contract 13]
import { createHash } from 'node:crypto';
import { uuidElements } from '../platform/uuid-arrays.ts';
import { canBeAsked, type Pool, promptKey, type Term } from '../vocabulary/rules.ts';

/**
 * @param words the name of its deck or list
 * @param key what tells its prompt and gloss from all others
 * @returns the beginning of a hash, as a UUID
 */
export function wordId(words: string, key: string): string {
  const hash = createHash('sha256').update(`${words}\n${key}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The words of a pool. */
export interface PoolWords {
  /** The terms of each word: its accepted translations. */
  terms: ReadonlyMap<string, readonly Term[]>;
  /** Of those that can be asked. Hashes in their order have the words in none. */
  ids: readonly string[];
  /** The same ones, as PostgreSQL has them in an array. */
  elements: Buffer;
}

/** A pool is made anew every minute or so; until then its words stay what they are. */
const known = new WeakMap<Pool, PoolWords>();

/** @param words the name of the deck or list that the pool is of */
export function wordsOfPool(words: string, pool: Pool): PoolWords {
  const made = known.get(pool) ?? makeWords(words, pool);
  known.set(pool, made);
  return made;
}

function makeWords(words: string, pool: Pool): PoolWords {
  const byKey = Map.groupBy(pool.terms, promptKey);
  const named = [...byKey].map(([key, ofWord]) => [wordId(words, key), ofWord] as const);
  const askable = named.filter(([, [term]]) => term && canBeAsked(pool, term));
  const ids = askable.map(([id]) => id).toSorted();
  return { terms: new Map(named), ids, elements: uuidElements(ids) };
}
