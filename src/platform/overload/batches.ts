// Combines reads that are requested at the same time. One batch is under way for each source, and reads that are
// requested meanwhile form the next one. A crowd then costs the database a query now and then instead of one for
// each user, and every read begins after it was requested. Idempotent writes are combined in the same way.
import { isOutage } from '../outages/outage.ts';

/** How many keys one query may have. */
const MAX_KEYS = 200;

interface PendingRead<Key, Value> extends PromiseWithResolvers<Value> {
  key: Key;
}

/**
 * @param load reads all keys at once; returns values in the keys' order
 * @param identify returns equal texts for equal keys, which are read once and share the value
 */
export function inBatches<Source, Key, Value>(
  load: (source: Source, keys: Key[]) => Promise<Value[]>,
  identify: (key: Key) => string,
): (source: Source, key: Key) => Promise<Value> {
  /** The pending reads of each source that is being read, by the identity of their keys. */
  const queues = new Map<Source, Map<string, PendingRead<Key, Value>>>();

  async function readAll(source: Source, queue: Map<string, PendingRead<Key, Value>>): Promise<void> {
    while (queue.size > 0) {
      const batch = [...queue].slice(0, MAX_KEYS);
      for (const [id] of batch) queue.delete(id);
      const reads = batch.map(([, read]) => read);
      try {
        const keys = reads.map(({ key }) => key);
        const values = await load(source, keys);
        for (const [index, { resolve }] of reads.entries()) resolve(values[index] as Value);
      } catch (error) {
        // After an outage, one batch after the other would run into the same timeout.
        if (isOutage(error)) {
          reads.push(...queue.values());
          queue.clear();
        }
        for (const { reject } of reads) reject(error);
      }
    }
    queues.delete(source);
  }

  return (source, key) => {
    const queue = queues.get(source) ?? new Map<string, PendingRead<Key, Value>>();
    const id = identify(key);
    const read = queue.get(id) ?? { key, ...Promise.withResolvers<Value>() };
    queue.set(id, read);
    // The first batch starts after this turn of the event loop, and so has all reads of this turn.
    if (!queues.has(source)) setImmediate(() => void readAll(source, queue));
    queues.set(source, queue);
    return read.promise;
  };
}
