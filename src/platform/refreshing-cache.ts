// A bounded in-memory cache of what is slow to load and may be a little old: it answers at once with
// what it has and refreshes it behind the caller's back, so that neither a refresh nor an outage of
// the source is felt.
//
// lru-cache's fetchMethod would do it but for `invalidate`: its fetch joins a load that is under way,
// with forceRefresh too, and so gives out what was read before the change.

export interface RefreshingCacheOptions<Key, Value> {
  /** @param old what it gave before, where that is still there */
  load: (key: Key, old?: Value) => Promise<Value>;
  /** What tells two keys apart. */
  identify: (key: Key) => string;
  /** A value that isn't worth keeping is loaded again at the next use. Default: all are. */
  isKept?: (value: Value) => boolean;
  /** How old a value may be before its next use starts a refresh. */
  refreshAfterMs: number;
  /** How many values are kept; the least recently used goes first. */
  capacity: number;
  /** Told of a refresh that failed; the old value stays. */
  onRefreshError: (error: unknown) => void;
  /** Milliseconds from any fixed moment, never going back. */
  now?: () => number;
}

export interface RefreshingCache<Key, Value> {
  /**
   * @returns the value of `key`; loaded when there is none yet or it was invalidated, by one load
   * for any number of callers
   * @throws what `load` threw, when there is not even an old value
   */
  get(key: Key): Promise<Value>;
  /** From now on no value loaded before is given out, except while the source is away. */
  invalidate(): void;
}

interface Entry<Value> {
  value: Value;
  /** Which invalidation its load came after. */
  epoch: number;
  refreshAt: number;
}

/** After a refresh that failed the next one waits a while, so that an outage isn't hammered at. */
const RETRY_AFTER_MS = 5000;

export function createRefreshingCache<Key, Value>({
  load,
  identify,
  isKept = () => true,
  refreshAfterMs,
  capacity,
  onRefreshError,
  now = () => performance.now(),
}: RefreshingCacheOptions<Key, Value>): RefreshingCache<Key, Value> {
  /** In the order of their last use. */
  const entries = new Map<string, Entry<Value>>();
  const loads = new Map<string, { epoch: number; promise: Promise<Value> }>();
  let epoch = 0;

  function keep(id: string, entry: Entry<Value>): void {
    entries.delete(id);
    if (isKept(entry.value)) entries.set(id, entry);
    const oldest = entries.keys().next();
    if (entries.size > capacity && !oldest.done) entries.delete(oldest.value);
  }

  /** @param old what to fall back on; with it, the promise never rejects */
  function startLoad(key: Key, id: string, old?: Entry<Value>): Promise<Value> {
    const running = loads.get(id);
    // A load from before the last invalidation may have read what is no longer true.
    if (running?.epoch === epoch) return running.promise;
    const started = epoch;
    const promise = load(key, old?.value)
      .then(
        (value) => {
          if ((entries.get(id)?.epoch ?? -1) <= started)
            keep(id, { value, epoch: started, refreshAt: now() + refreshAfterMs });
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

  async function get(key: Key): Promise<Value> {
    const id = identify(key);
    const entry = entries.get(id);
    if (!entry) return startLoad(key, id);
    keep(id, entry);
    if (entry.epoch === epoch && now() < entry.refreshAt) return entry.value;
    const refreshed = startLoad(key, id, entry);
    return entry.epoch === epoch ? entry.value : refreshed;
  }

  return {
    get,
    invalidate: () => {
      epoch += 1;
    },
  };
}
