// The decks in memory, so that a quiz starts without SQL: for each deck in use a bounded random
// sample, a little old at worst. An import is announced and seen at once; see changes.ts.
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { createRefreshingCache } from '../platform/refreshing-cache.ts';
import { createListPools } from './lists/list-pools.ts';
import type { ListHead } from './lists/store.ts';
import { type Pool, preparePool, wordsName } from './rules.ts';
import type { Deck } from './schema.ts';
import { acceptedTranslations, countDecks, type DeckCount, sampleTerms } from './store.ts';

const REFRESH_AFTER_MS = 60_000;
/** Until then the same part of a large deck is read again, and what is remembered of its words stays. */
const RESAMPLE_AFTER_MS = 30 * 60_000;
/** At about 2 MB a full sample. */
const MAX_POOLS = 100;

export interface Pools {
  /**
   * @param words a deck, or a list as it is at this moment
   * @returns what questions are drawn from; empty for a deck that nobody has loaded
   * @throws the database's error, when it is away and the words were never used before;
   * LIST_NOT_FOUND for a list that was deleted meanwhile
   */
  pool(words: Deck | ListHead): Promise<Pool>;
  /** @returns the decks that hold terms */
  decks(): Promise<DeckCount[]>;
  /** The vocabulary has changed: everything is loaded anew at its next use. */
  invalidate(): void;
}

/** What pools need. */
export interface PoolsDeps {
  db: Database;
  logger: Logger;
  random: (bound: number) => number;
  now?: () => number;
}

/** Holds nothing at first. An empty deck is never held: its words may arrive at any moment. */
export function createPools({
  db,
  logger,
  random,
  now = () => performance.now(),
}: PoolsDeps): Pools {
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
    isKept: (pool) => pool.terms.length > 0,
    capacity: MAX_POOLS,
  });
  const counts = createRefreshingCache<void, DeckCount[]>({
    ...shared,
    load: () => countDecks(db),
    identify: () => 'all',
    isKept: (decks) => decks.length > 0,
    capacity: 1,
  });
  const lists = createListPools(db);
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

/** @returns a function that says where samples begin, from 0 to 1 */
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

async function loadPool(
  db: Database,
  deck: Deck,
  start: number,
  old: Pool | undefined,
): Promise<Pool> {
  const { terms, isWhole, ...id } = await sampleTerms(db, deck, start);
  const prompts = [...new Set(terms.map((term) => term.sourceKey))];
  const accepted = prompts.length > 0 ? await acceptedTranslations(db, deck, prompts) : [];
  const pool = { ...preparePool(terms, accepted, isWhole), ...id };
  // With what is remembered of its words.
  return old && isSame(old, pool) ? old : pool;
}

function isSame(one: Pool, other: Pool): boolean {
  const byName = ({ terms }: Pool) =>
    new Map(terms.map((term) => [`${term.sourceKey}\n${term.targetKey}`, term]));
  return (
    one.deckId === other.deckId &&
    one.isWhole === other.isWhole &&
    one.terms.length === other.terms.length &&
    isDeepStrictEqual(byName(one), byName(other)) &&
    isDeepStrictEqual(one.accepted, other.accepted)
  );
}
