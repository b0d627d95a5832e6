// Keeps decks and lists in memory, so that a quiz starts without reading terms: of each deck that is in use a bounded
// random sample, at most about a minute old, and lists by their version. An import is announced to all replicas, which
// then read their decks again.
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { createConcurrencyLimit } from '../platform/overload/concurrency-limit.ts';
import { createRefreshingCache, type RefreshingCache } from '../platform/overload/refreshing-cache.ts';
import type { Database, Postgres } from '../platform/postgres/postgres.ts';
import { createChannels, type RedisClient } from '../platform/redis/redis.ts';
import type { Services } from '../services.ts';
import { reversed, toTerms } from './lists/rules.ts';
import { findTerms, type ListVersion } from './lists/store.ts';
import { type Pool, preparePool, promptKey, type Term, topicPool, wordsName } from './rules.ts';
import type { AskedDeck } from './schema.ts';
import { acceptedTranslations, countDecks, type DeckCount, sampleTerms } from './store.ts';

/** The age of a pool, in ms, at which its next use reloads it in the background. */
const REFRESH_AFTER_MS = 60_000;
/** The time, in ms, for which a large deck has the same sample, so that its distractors stay cached. */
const RESAMPLE_AFTER_MS = 30 * 60_000;
/**
 * Pools in memory, about 2 MB each. Beyond it the one that was used least recently is evicted. Topics have places of their
 * own, since whoever asks for one after the other could else evict all decks.
 */
const MAX_DECKS = 100;
const MAX_TOPICS = 50;
/** The number of places in a deck at which its sample may start. */
const RESOLUTION = 2 ** 32;

export type Pools = ReturnType<typeof createPools>;
type PoolServices = Pick<Services, 'db' | 'logger' | 'postgres' | 'random'> & { now?: () => number };

/** Creates empty pools. A deck without terms is never cached, since it may be imported at any moment. */
export function createPools({ db, postgres, logger, random, now = () => performance.now() }: PoolServices) {
  const shared = {
    refreshAfterMs: REFRESH_AFTER_MS,
    onRefreshError: (error: unknown) =>
      logger.warn({ err: error }, 'vocabulary not refreshed: going on with what is in memory'),
    now,
  };
  /** The start of all samples, from 0 to 1. */
  let start = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const createCache = (capacity: number): RefreshingCache<AskedDeck, Pool> =>
    createRefreshingCache<AskedDeck, Pool>({
      ...shared,
      async load({ topic, ...deck }, old) {
        if (now() - drawnAt >= RESAMPLE_AFTER_MS) {
          start = random(RESOLUTION) / RESOLUTION;
          drawnAt = now();
        }
        const whole = topic === undefined ? undefined : await decks.get(deck);
        const pool = await loadPool(db, { ...deck, topic }, start, whole);
        // The old pool has cached distractors.
        return old && isSame(old, pool) ? old : pool;
      },
      identify: ({ topic, ...deck }) => [wordsName(deck), topic].join(' '),
      isCached: (pool) => pool.terms.length > 0,
      capacity,
    });
  const decks = createCache(MAX_DECKS);
  const topics = createCache(MAX_TOPICS);
  const counts = createRefreshingCache<void, DeckCount[]>({
    ...shared,
    async load(_all, old) {
      const decks = await countDecks(db);
      // The old counts are packed for replies.
      return old && isDeepStrictEqual(old, decks) ? old : decks;
    },
    identify: () => 'all',
    isCached: (decks) => decks.length > 0,
    capacity: 1,
  });
  const lists = createListPools(postgres);
  return {
    /**
     * @returns the pool that questions are drawn from; it is empty for a deck without terms
     * @throws AppError LIST_NOT_FOUND for a list that was deleted meanwhile; the database's error where it is away and
     *   the pool isn't in memory
     */
    pool: (words: AskedDeck | ListVersion) => {
      if ('listId' in words) return lists.pool(words);
      return (words.topic === undefined ? decks : topics).get(words);
    },
    decks: () => counts.get(),
    /** Makes every deck be loaded again at its next use, since the vocabulary has changed. */
    invalidate(): void {
      for (const cache of [decks, topics, counts]) cache.invalidate();
    },
  };
}

/** @param whole the pool of the deck whose topic is loaded */
async function loadPool(db: Database, deck: AskedDeck, start: number, whole: Pool | undefined): Promise<Pool> {
  const isOfTopic = ({ field }: Term) => field === deck.topic;
  if (whole?.isWhole) return topicPool(whole, whole.terms.filter(isOfTopic));
  const { terms, isWhole, ...id } = await sampleTerms(db, deck, start);
  const prompts = [...new Set(terms.map((term) => term.sourceKey))];
  const accepted = prompts.length > 0 ? await acceptedTranslations(db, deck, prompts) : [];
  return { ...(whole ? topicPool(whole, terms, accepted) : preparePool(terms, accepted, isWhole)), ...id };
}

function isSame(one: Pool, other: Pool): boolean {
  const byName = ({ byPrompt }: Pool) =>
    new Map([...byPrompt.values()].flat().map((term) => [`${term.sourceKey}\n${term.targetKey}`, term]));
  return (
    one.deckId === other.deckId &&
    one.isWhole === other.isWhole &&
    one.terms.length === other.terms.length &&
    // Topics of a whole deck share its map.
    (one.byPrompt === other.byPrompt || isDeepStrictEqual(byName(one), byName(other))) &&
    isDeepStrictEqual(one.accepted, other.accepted)
  );
}

/** What a term takes besides the characters of its texts, with the distractors and words that are cached for its pool. */
const TERM_BYTES = 1100;
const CHARACTER_BYTES = 2;

/** A list takes several times the size of its pool while it is loaded. */
const LOADS_AT_ONCE = { max: BUDGETS.listLoads.max, maxPerKey: 1 };

/** The number of terms that one turn of the event loop normalises, in some ms for the longest texts. */
const TERMS_A_TURN = 25;

export function createListPools(postgres: Postgres) {
  const inTurn = createConcurrencyLimit(LOADS_AT_ONCE);
  const pools = new LRUCache<string, Pool, ListVersion>({
    maxSize: BUDGETS.listPools.max,
    sizeCalculation: ({ terms }) => terms.reduce((sum, term) => sum + bytesOf(term), 1),
    fetchMethod: (_key, _stale, { context }) => inTurn(context.listId, () => loadListPool(postgres, context)),
    // A pool that is evicted while it is loaded is still returned to its callers.
    ignoreFetchAbort: true,
  });
  return {
    /** @throws AppError LIST_NOT_FOUND when the list was deleted meanwhile, or the database's error */
    pool: async (list: ListVersion) =>
      (await pools.fetch(`${wordsName(list)} ${list.version}`, { context: list })) as Pool,
  };
}

async function loadListPool(postgres: Postgres, { listId, reverse }: ListVersion): Promise<Pool> {
  const stored = await findTerms(postgres, listId);
  if (!stored) throw new AppError('LIST_NOT_FOUND');
  const terms = reverse ? stored.map(reversed) : stored;
  const promptKeys = new Map<Term, string>();
  const translations = new Set<string>();
  const known = new Map<string, string>();
  /** Returns the same string for equal keys, which take memory once, and are compared without being read. */
  const share = (key: string) => {
    const same = known.get(key) ?? key;
    known.set(same, same);
    return same;
  };
  for (let at = 0; at < terms.length; at += TERMS_A_TURN) {
    for (const term of toTerms(terms.slice(at, at + TERMS_A_TURN))) {
      const { sourceKey, targetKey } = term;
      const shared = { ...term, sourceKey: share(sourceKey), targetKey: share(targetKey) };
      const prompt = share(promptKey(shared));
      const translation = `${prompt}\n${targetKey}`;
      if (!translations.has(translation)) promptKeys.set(shared, prompt);
      translations.add(translation);
    }
    await setImmediate();
  }
  return preparePool([...promptKeys.keys()], [], true, promptKeys);
}

/** @returns about what a term takes, with the keys of prompt, answer, and prompt with gloss */
function bytesOf({ sourceText, targetText, sourceGloss }: Term): number {
  const characters = 3 * sourceText.length + 2 * (targetText.length + (sourceGloss?.length ?? 0));
  return TERM_BYTES + CHARACTER_BYTES * characters;
}

/**
 * The channel of announcements. It is a sharded one, since ioredis forgets the plain channels of a connection when it
 * leaves its last sharded channel. A replica that misses an announcement sees the change when its pools are refreshed.
 */
const CHANNEL = 'vocabulary:changed';

export async function announceChange(redis: RedisClient): Promise<void> {
  await redis.spublish(CHANNEL, '');
}

/**
 * Calls `onChange` at every announcement, and after a reconnect, since an announcement may have been lost.
 * @param subscriber a connection that only subscribes
 */
export function followChanges(subscriber: RedisClient, onChange: () => void): void {
  const channels = createChannels(subscriber, {
    message(channel) {
      if (channel === CHANNEL) onChange();
    },
    resubscribed: onChange,
  });
  // Where Redis is away, the channel is subscribed to after the reconnect.
  channels.subscribe(CHANNEL).catch(() => undefined);
}
