// Buffers a lobby's events for a program that reads them with `for await`: all of them, once and in order.

/**
 * How many events wait for the first read; beyond it the oldest is removed: the program may only use `on`.
 */
const MAX_BEFORE_READ = 1000;

export interface EventBuffer<T> {
  push(item: T): void;
  /** Ends the iteration. @param error thrown to the reader after the remaining items */
  end(error?: Error): void;
  /** Iterates over what was not read yet. Several iterators share the items. */
  read(): AsyncIterableIterator<T>;
}

export function createEventBuffer<T>(): EventBuffer<T> {
  const items: T[] = [];
  const waiting: (() => void)[] = [];
  let isRead = false;
  let isOver = false;
  let failure: Error | undefined;

  async function next(): Promise<IteratorResult<T, undefined>> {
    while (items.length === 0 && !isOver) await new Promise<void>((wake) => waiting.push(wake));
    if (items.length > 0) return { done: false, value: items.shift() as T };
    const thrown = failure;
    // The error is thrown once; after it the iterator is done.
    failure = undefined;
    if (thrown) throw thrown;
    return { done: true, value: undefined };
  }

  return {
    push(item) {
      if (isOver) return;
      items.push(item);
      if (!isRead && items.length > MAX_BEFORE_READ) items.shift();
      waiting.shift()?.();
    },
    end(error) {
      if (isOver) return;
      isOver = true;
      failure = error;
      for (const wake of waiting.splice(0)) wake();
    },
    read() {
      isRead = true;
      const iterator: AsyncIterableIterator<T> = { next, [Symbol.asyncIterator]: () => iterator };
      return iterator;
    },
  };
}
