// The lists in memory that were played last. A list of another version is another pool, and whoever
// plays one looks at its version first, so that no replica ever asks what is no longer in a list.

import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import type { Database } from '../../platform/postgres.ts';
import { type Pool, preparePool } from '../rules.ts';
import { toTerms } from './rules.ts';
import { findTerms, type ListHead } from './store.ts';

/** About 100 MB, of lists that are played: some 60 of 2,000 words. */
const MAX_CHARACTERS = 6_000_000;

export interface ListPools {
  /**
   * @returns what questions of a list are drawn from
   * @throws AppError LIST_NOT_FOUND when it was deleted meanwhile, or the database's error
   */
  pool(list: ListHead): Promise<Pool>;
}

/** Holds nothing at first. */
export function createListPools(db: Database): ListPools {
  const pools = new LRUCache<string, Pool, ListHead>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (pool) => pool.terms.reduce((sum, term) => sum + charactersOf(term), 1),
    fetchMethod: (_key, _stale, { context }) => loadPool(db, context),
    // One that leaves before it is loaded is still given to who waits for it.
    ignoreFetchAbort: true,
  });
  return {
    async pool(list) {
      const pool = await pools.fetch(`${list.listId} ${list.version}`, { context: list });
      return pool as Pool;
    },
  };
}

async function loadPool(db: Database, { listId }: ListHead): Promise<Pool> {
  const terms = await findTerms(db, listId);
  if (!terms) throw new AppError('LIST_NOT_FOUND');
  return preparePool(toTerms(terms), []);
}

/** With the keys, which are about as long as the texts. */
function charactersOf({ sourceText, targetText, sourceGloss }: Pool['terms'][number]): number {
  return 2 * (sourceText.length + targetText.length) + (sourceGloss?.length ?? 0);
}
