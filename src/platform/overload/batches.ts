// Combines reads that are requested at the same time. One batch is under way for each source, and reads that are
// requested meanwhile form the next one. A crowd then costs the database a query now and then instead of one for
// each user, and every read begins after it was requested. Idempotent writes are combined in the same way.
import { isOutage } from '../outages/outage.ts';

/** How many keys one query may have. */
const MAX_KEYS = 200;

interface PendingRead<Key, Value> extends PromiseWithResolvers<Value> {
  key: Key;
}

/** The pending reads of one source, by the identity of their keys. */
interface ReadQueue<Key, Value> {
  reads: Map<string, PendingRead<Key, Value>>;
  isBusy: boolean;
}

/**
 * @param load reads all keys at once from a source such as a database; returns values in the keys' order
 * @param identify returns equal texts for equal keys, which are read once and share the value
 * @returns a function that reads one key; it throws what `load` throws
 */
export function inBatches<Source extends object, Key, Value>(
  load: (source: Source, keys: Key[]) => Promise<Value[]>,
  identify: (key: Key) => string,
): (source: Source, key: Key) => Promise<Value> {
  const queues = new WeakMap<Source, ReadQueue<Key, Value>>();

  async function readAll(source: Source, queue: ReadQueue<Key, Value>): Promise<void> {
    while (queue.reads.size > 0) {
      const batch = [...queue.reads].slice(0, MAX_KEYS);
      for (const [id] of batch) queue.reads.delete(id);
      const reads = batch.map(([, read]) => read);
      try {
        const keys = reads.map(({ key }) => key);
        const values = await load(source, keys);
        for (const [index, { resolve }] of reads.entries()) resolve(values[index] as Value);
      } catch (error) {
        // After an outage, one batch after the other would run into the same timeout.
        if (isOutage(error)) {
          reads.push(...queue.reads.values());
          queue.reads.clear();
        }
        for (const { reject } of reads) reject(error);
      }
    }
    queue.isBusy = false;
  }

  return (source, key) => {
    const queue = queues.get(source) ?? { reads: new Map(), isBusy: false };
    queues.set(source, queue);
    const id = identify(key);
    const read = queue.reads.get(id) ?? { key, ...Promise.withResolvers<Value>() };
    queue.reads.set(id, read);
    if (!queue.isBusy) {
      queue.isBusy = true;
      // The first batch starts after this turn of the event loop, and so has all reads of this turn.
      setImmediate(() => void readAll(source, queue));
    }
    return read.promise;
  };
}
