// A bounded in-memory cache for values that are slow to load and may be a little old (stale-while-revalidate). It
// answers at once with an old value and refreshes it in the background, so that neither a refresh nor an outage of
// the source delays a caller.
//
// The `fetchMethod` of lru-cache can't replace it: its `fetch` joins a running load, with `forceRefresh` too, and
// would return a value that was read before an invalidation.

interface RefreshingCacheOptions<Key, Value> {
  /** @param old the cached value, if there is one */
  load: (key: Key, old?: Value) => Promise<Value>;
  identify: (key: Key) => string;
  /** Whether a value is cached; otherwise the next use loads it again. Default: all values are. */
  isCached?: (value: Value) => boolean;
  /** How old a value may be before its next use starts a refresh. */
  refreshAfterMs: number;
  /** How many values are cached; beyond it the least recently used one is evicted. */
  capacity: number;
  /** Called when a refresh fails; the old value stays. */
  onRefreshError: (error: unknown) => void;
  /** A monotonic clock, ms. */
  now?: () => number;
}

export type RefreshingCache<Key, Value> = ReturnType<typeof createRefreshingCache<Key, Value>>;

interface CachedValue<Value> {
  value: Value;
  /** The number of invalidations when its load began. */
  epoch: number;
  refreshAt: number;
}

/** Pause after a failed refresh in ms, so that a source that is away is not asked at every use. */
const RETRY_AFTER_MS = 5000;

export function createRefreshingCache<Key, Value>({
  load,
  identify,
  isCached = () => true,
  refreshAfterMs,
  capacity,
  onRefreshError,
  now = () => performance.now(),
}: RefreshingCacheOptions<Key, Value>) {
  /** The map's order is that of the last use. */
  const entries = new Map<string, CachedValue<Value>>();
  const loads = new Map<string, { epoch: number; promise: Promise<Value> }>();
  let epoch = 0;

  function put(id: string, entry: CachedValue<Value>): void {
    entries.delete(id);
    if (isCached(entry.value)) entries.set(id, entry);
    const oldest = entries.keys().next();
    if (entries.size > capacity && !oldest.done) entries.delete(oldest.value);
  }

  /** @param old the value to return when the load fails; with it, the promise never rejects */
  function startLoad(key: Key, id: string, old?: CachedValue<Value>): Promise<Value> {
    const running = loads.get(id);
    // A load that began before the last invalidation may have read an outdated value.
    if (running?.epoch === epoch) return running.promise;
    const started = epoch;
    const promise = load(key, old?.value)
      .then(
        (value) => {
          if ((entries.get(id)?.epoch ?? -1) <= started)
            put(id, { value, epoch: started, refreshAt: now() + refreshAfterMs });
          return value;
        },
        (error: unknown) => {
          if (!old) throw error;
          old.epoch = Math.max(old.epoch, started);
          old.refreshAt = now() + RETRY_AFTER_MS;
          onRefreshError(error);
          return old.value;
        },
      )
      .finally(() => {
        if (loads.get(id)?.promise === promise) loads.delete(id);
      });
    loads.set(id, { epoch: started, promise });
    return promise;
  }

  /**
   * Loads a value that is missing or was invalidated; concurrent callers share one load.
   * @throws what `load` throws, when there is no old value either
   */
  async function get(key: Key): Promise<Value> {
    const id = identify(key);
    const entry = entries.get(id);
    if (!entry) return startLoad(key, id);
    put(id, entry);
    if (entry.epoch === epoch && now() < entry.refreshAt) return entry.value;
    const refreshed = startLoad(key, id, entry);
    return entry.epoch === epoch ? entry.value : refreshed;
  }

  return {
    get,
    /** From now on values loaded before are returned only while the source is away. */
    invalidate(): void {
      epoch += 1;
    },
  };
}
