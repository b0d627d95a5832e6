// What a program reads with `for await` when it has the time: everything once, in order.

/** As much is kept for a program that may never read: it listens by `on`. */
const MAX_UNASKED = 1000;

export interface EventBuffer<T> {
  push(item: T): void;
  /** No more comes. @param error thrown to the reader after what is left */
  end(error?: Error): void;
  /** Of all that was not read yet; several share it. */
  read(): AsyncIterableIterator<T>;
}

export function createEventBuffer<T>(): EventBuffer<T> {
  const items: T[] = [];
  const wakers: (() => void)[] = [];
  let isRead = false;
  let isOver = false;
  let failure: Error | undefined;

  async function next(): Promise<IteratorResult<T, undefined>> {
    while (items.length === 0 && !isOver) await new Promise<void>((wake) => wakers.push(wake));
    if (items.length > 0) return { done: false, value: items.shift() as T };
    const thrown = failure;
    // Once: who asks again is at the end.
    failure = undefined;
    if (thrown) throw thrown;
    return { done: true, value: undefined };
  }

  return {
    push(item) {
      if (isOver) return;
      items.push(item);
      if (!isRead && items.length > MAX_UNASKED) items.shift();
      wakers.shift()?.();
    },
    end(error) {
      if (isOver) return;
      isOver = true;
      failure = error;
      for (const wake of wakers.splice(0)) wake();
    },
    read() {
      isRead = true;
      const iterator: AsyncIterableIterator<T> = { next, [Symbol.asyncIterator]: () => iterator };
      return iterator;
    },
  };
}
