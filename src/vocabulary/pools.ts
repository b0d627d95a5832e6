// Keeps decks in memory, so that a quiz starts without SQL: of each deck that is in use a bounded random
// sample, at most about a minute old. An import is announced (changes.ts) and seen at once.
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../platform/observability/logger.ts';
import { createRefreshingCache } from '../platform/overload/refreshing-cache.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { PostgresPool } from '../platform/postgres/postgres-pool.ts';
import { createListPools } from './lists/list-pools.ts';
import type { ListVersion } from './lists/store.ts';
import { type Pool, preparePool, wordsName } from './rules.ts';
import type { Deck } from './schema.ts';
import { acceptedTranslations, countDecks, type DeckCount, sampleTerms } from './store.ts';

/** The age of a pool, in ms, at which its next use reloads it in the background. */
const REFRESH_AFTER_MS = 60_000;
/** The time, in ms, for which a large deck has the same sample, so that its distractors stay cached. */
const RESAMPLE_AFTER_MS = 30 * 60_000;
/** Pools in memory, about 2 MB each. Beyond it the one that was used least recently is evicted. */
const MAX_POOLS = 100;

export interface Pools {
  /**
   * @param words a deck, or the present version of a list
   * @returns the pool that questions are drawn from; it is empty for a deck without terms
   * @throws AppError LIST_NOT_FOUND for a list that was deleted meanwhile; the database's error where it is
   *   away and the pool isn't in memory
   */
  pool(words: Deck | ListVersion): Promise<Pool>;
  /** @returns the decks that have terms */
  decks(): Promise<DeckCount[]>;
  /** Makes every deck be loaded again at its next use, since the vocabulary has changed. */
  invalidate(): void;
}

/** The dependencies of the pools. */
interface PoolsDeps {
  db: Database;
  postgres: Pick<PostgresPool, 'query'>;
  logger: Logger;
  random: (bound: number) => number;
  now?: () => number;
}

/** Creates empty pools. A deck without terms is never cached, since it may be imported at any moment. */
export function createPools({ db, postgres, logger, random, now = () => performance.now() }: PoolsDeps): Pools {
  const shared = {
    refreshAfterMs: REFRESH_AFTER_MS,
    onRefreshError: (error: unknown) =>
      logger.warn({ err: error }, 'vocabulary not refreshed: going on with what is in memory'),
    now,
  };
  const start = createStart(random, now);
  const pools = createRefreshingCache<Deck, Pool>({
    ...shared,
    load: (deck, old) => loadPool(db, deck, start(), old),
    identify: wordsName,
    isCached: (pool) => pool.terms.length > 0,
    capacity: MAX_POOLS,
  });
  const counts = createRefreshingCache<void, DeckCount[]>({
    ...shared,
    load: () => countDecks(db),
    identify: () => 'all',
    isCached: (decks) => decks.length > 0,
    capacity: 1,
  });
  const lists = createListPools(postgres);
  return {
    pool: (words) => ('listId' in words ? lists.pool(words) : pools.get(words)),
    decks: () => counts.get(),
    invalidate() {
      pools.invalidate();
      counts.invalidate();
    },
  };
}

const RESOLUTION = 2 ** 32;

/** @returns a function that returns the start of all samples, from 0 to 1, which changes every 30 minutes */
function createStart(random: PoolsDeps['random'], now: () => number): () => number {
  let start = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - drawnAt >= RESAMPLE_AFTER_MS) {
      start = random(RESOLUTION) / RESOLUTION;
      drawnAt = now();
    }
    return start;
  };
}

async function loadPool(db: Database, deck: Deck, start: number, old: Pool | undefined): Promise<Pool> {
  const { terms, isWhole, ...id } = await sampleTerms(db, deck, start);
  const prompts = [...new Set(terms.map((term) => term.sourceKey))];
  const accepted = prompts.length > 0 ? await acceptedTranslations(db, deck, prompts) : [];
  const pool = { ...preparePool(terms, accepted, isWhole), ...id };
  // The old pool has cached distractors.
  return old && isSame(old, pool) ? old : pool;
}

function isSame(one: Pool, other: Pool): boolean {
  const byName = ({ terms }: Pool) => new Map(terms.map((term) => [`${term.sourceKey}\n${term.targetKey}`, term]));
  return (
    one.deckId === other.deckId &&
    one.isWhole === other.isWhole &&
    one.terms.length === other.terms.length &&
    isDeepStrictEqual(byName(one), byName(other)) &&
    isDeepStrictEqual(one.accepted, other.accepted)
  );
}
