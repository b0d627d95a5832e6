// Caches the pools of lists in memory. A pool belongs to one version of a list, and each start reads the
// list's version first, so that no replica asks for a term that the list has lost.
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Pool, preparePool, promptKey, type Term } from '../rules.ts';
import { toTerms } from './rules.ts';
import { findTerms, type ListVersion } from './store.ts';

/**
 * The size of the cache in characters, beyond which the least recently used list is evicted. It takes about
 * 100 MB, as some 60 lists of 2,000 words do.
 */
const MAX_CHARACTERS = 6_000_000;

/** The number of terms that one turn of the event loop normalises, in some 2 ms for the longest texts. */
const TERMS_A_TURN = 100;

interface ListPools {
  /**
   * @returns the pool from which the list's questions are drawn
   * @throws AppError LIST_NOT_FOUND when the list was deleted meanwhile, or the database's error
   */
  pool(list: ListVersion): Promise<Pool>;
}

export function createListPools(db: Database): ListPools {
  const pools = new LRUCache<string, Pool, ListVersion>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (pool) => pool.terms.reduce((sum, term) => sum + charactersOf(term), 1),
    fetchMethod: (_key, _stale, { context }) => loadPool(db, context),
    // A pool that is evicted while it is loaded is still returned to its callers.
    ignoreFetchAbort: true,
  });
  return {
    async pool(list) {
      const pool = await pools.fetch(`${list.listId} ${list.version}`, { context: list });
      return pool as Pool;
    },
  };
}

async function loadPool(db: Database, { listId }: ListVersion): Promise<Pool> {
  const terms = await findTerms(db, listId);
  if (!terms) throw new AppError('LIST_NOT_FOUND');
  const promptKeys = new Map<Term, string>();
  for (let at = 0; at < terms.length; at += TERMS_A_TURN) {
    for (const term of toTerms(terms.slice(at, at + TERMS_A_TURN)))
      promptKeys.set(term, promptKey(term));
    await setImmediate();
  }
  return preparePool([...promptKeys.keys()], [], true, promptKeys);
}

/** @returns about how many characters a term has, with the keys of prompt, answer, and prompt with gloss */
function charactersOf({ sourceText, targetText, sourceGloss }: Term): number {
  return 3 * sourceText.length + 2 * (targetText.length + (sourceGloss?.length ?? 0));
}
