// Reads for everybody who asks at the same time: one batch is under way, and whoever asks meanwhile
// shares the next one. So a crowd costs a database a query now and then instead of one a head, and a
// read always begins after it was asked for.
import { isOutage } from './outage.ts';

/** What one query may be asked for. */
const MAX_KEYS = 200;

interface Asked<Key, Value> extends PromiseWithResolvers<Value> {
  key: Key;
}

interface Line<Key, Value> {
  waiting: Map<string, Asked<Key, Value>>;
  isBusy: boolean;
}

/**
 * @param load reads all keys at once, from a source such as a database; values in the keys' order
 * @param identify what tells two keys apart; equal keys are read once, and share the value
 * @returns what reads one key; it throws what `load` threw
 */
export function inBatches<Source extends object, Key, Value>(
  load: (source: Source, keys: Key[]) => Promise<Value[]>,
  identify: (key: Key) => string,
): (source: Source, key: Key) => Promise<Value> {
  const lines = new WeakMap<Source, Line<Key, Value>>();

  async function runAll(source: Source, line: Line<Key, Value>): Promise<void> {
    while (line.waiting.size > 0) {
      const batch = [...line.waiting].slice(0, MAX_KEYS);
      for (const [id] of batch) line.waiting.delete(id);
      const asked = batch.map(([, one]) => one);
      try {
        const keys = asked.map(({ key }) => key);
        const values = await load(source, keys);
        for (const [index, { resolve }] of asked.entries()) resolve(values[index] as Value);
      } catch (error) {
        for (const { reject } of asked) reject(error);
        if (isOutage(error)) refuseAll(line, error);
      }
    }
    line.isBusy = false;
  }

  return (source, key) => {
    const line = lines.get(source) ?? { waiting: new Map(), isBusy: false };
    lines.set(source, line);
    const id = identify(key);
    const asked = line.waiting.get(id) ?? { key, ...Promise.withResolvers<Value>() };
    line.waiting.set(id, asked);
    if (!line.isBusy) {
      line.isBusy = true;
      // What arrives in this turn comes along.
      setImmediate(() => void runAll(source, line));
    }
    return asked.promise;
  };
}

/** Each would wait as long as the first, one after the other. */
function refuseAll<Key, Value>({ waiting }: Line<Key, Value>, error: unknown): void {
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
}
