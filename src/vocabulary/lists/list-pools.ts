// Caches the pools of lists in memory. A pool belongs to one version of a list, and each start reads the
// list's version first, so that no replica asks for a term that the list has lost.
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { BUDGETS } from '../../budgets.ts';
import { AppError } from '../../errors.ts';
import { createConcurrencyLimit } from '../../platform/overload/concurrency-limit.ts';
import type { PostgresPool } from '../../platform/postgres/postgres-pool.ts';
import { type Pool, preparePool, promptKey, type Term } from '../rules.ts';
import { toTerms } from './rules.ts';
import { findTerms, type ListVersion } from './store.ts';

/** What a term takes besides the characters of its texts, with the distractors and words that are cached for its pool. */
const TERM_BYTES = 1100;
const CHARACTER_BYTES = 2;

/** A list takes several times the size of its pool while it is loaded. */
const LOADS_AT_ONCE = { max: BUDGETS.listLoads.max, maxPerKey: 1 };

/** The number of terms that one turn of the event loop normalises, in some ms for the longest texts. */
const TERMS_A_TURN = 25;

interface ListPools {
  /**
   * @returns the pool from which the list's questions are drawn
   * @throws AppError LIST_NOT_FOUND when the list was deleted meanwhile, or the database's error
   */
  pool(list: ListVersion): Promise<Pool>;
}

export function createListPools(postgres: Pick<PostgresPool, 'query'>): ListPools {
  const inTurn = createConcurrencyLimit(LOADS_AT_ONCE);
  const pools = new LRUCache<string, Pool, ListVersion>({
    maxSize: BUDGETS.listPools.max,
    sizeCalculation: ({ terms }) => terms.reduce((sum, term) => sum + bytesOf(term), 1),
    fetchMethod: (_key, _stale, { context }) => inTurn(context.listId, () => loadPool(postgres, context)),
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

async function loadPool(postgres: Pick<PostgresPool, 'query'>, { listId }: ListVersion): Promise<Pool> {
  const terms = await findTerms(postgres, listId);
  if (!terms) throw new AppError('LIST_NOT_FOUND');
  const share = createSharing();
  const promptKeys = new Map<Term, string>();
  for (let at = 0; at < terms.length; at += TERMS_A_TURN) {
    for (const term of toTerms(terms.slice(at, at + TERMS_A_TURN))) {
      const { sourceKey, targetKey } = term;
      const shared = { ...term, sourceKey: share(sourceKey), targetKey: share(targetKey) };
      promptKeys.set(shared, share(promptKey(shared)));
    }
    await setImmediate();
  }
  return preparePool([...promptKeys.keys()], [], true, promptKeys);
}

/**
 * @returns a function that returns the same string for equal texts. Equal keys so take memory once, and the pool, which is
 *   made in one turn, compares them without reading them
 */
function createSharing(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
}

/** @returns about what a term takes, with the keys of prompt, answer, and prompt with gloss */
function bytesOf({ sourceText, targetText, sourceGloss }: Term): number {
  const characters = 3 * sourceText.length + 2 * (targetText.length + (sourceGloss?.length ?? 0));
  return TERM_BYTES + CHARACTER_BYTES * characters;
}
