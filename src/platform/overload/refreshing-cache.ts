// A bounded in-memory cache that answers at once with an old value and refreshes it in the background, so that neither
// a refresh nor an outage of the source delays a caller (stale-while-revalidate).
import { LRUCache } from 'lru-cache';

interface RefreshingCacheOptions<Key, Value> {
  load: (key: Key, old?: Value) => Promise<Value>;
  /** Returns equal texts for equal keys. */
  identify: (key: Key) => string;
  /** Otherwise the next use loads the value again. */
  isCached: (value: Value) => boolean;
  /** How old a value may be before its next use starts a refresh. */
  refreshAfterMs: number;
  capacity: number;
  onRefreshError: (error: unknown) => void;
  now?: () => number;
}

export type RefreshingCache<Key, Value extends object | string> = ReturnType<typeof createRefreshingCache<Key, Value>>;

/** Pause after a failed refresh in ms, so that a source that is away is not asked at every use. */
const RETRY_AFTER_MS = 5000;

export function createRefreshingCache<Key, Value extends object | string>(options: RefreshingCacheOptions<Key, Value>) {
  const { load, identify, isCached, refreshAfterMs, capacity, onRefreshError } = options;
  const { now = () => performance.now() } = options;
  /** The values that were loaded last, for while the source is away. */
  const latest = new LRUCache<string, Value>({ max: capacity });

  /** A load that began before an invalidation may have read an outdated value, so that each has a cache of its own. */
  const create = () =>
    new LRUCache<string, Value, { key: Key }>({
      max: capacity,
      ttl: refreshAfterMs,
      ttlResolution: 0,
      perf: { now },
      allowStale: true,
      // A value that is evicted while it is loaded is still returned to its callers.
      ignoreFetchAbort: true,
      async fetchMethod(id, stale, { context: { key }, options }) {
        const old = stale ?? latest.get(id);
        try {
          const value = await load(key, old);
          if (isCached(value)) latest.set(id, value);
          else latest.delete(id);
          return value;
        } catch (error) {
          if (old === undefined) throw error;
          options.ttl = RETRY_AFTER_MS;
          onRefreshError(error);
          return old;
        }
      },
    });
  let cache = create();

  return {
    /** Concurrent callers share a load. @throws what `load` throws, when there is no old value either */
    async get(key: Key): Promise<Value> {
      const id = identify(key);
      const value = (await cache.fetch(id, { context: { key } })) as Value;
      if (!isCached(value)) cache.delete(id);
      return value;
    },
    /** From now on values loaded before are returned only while the source is away. */
    invalidate(): void {
      cache = create();
    },
  };
}
