// A concurrency-limited loop. p-map does not fit: it rejects while other calls are still in flight, and
// what those have done could then not be undone.

/** The number of calls in flight. More would look like a flood to the service's rate limiters. */
const CONCURRENCY = 10;

/**
 * Calls `act` for every item, a few at a time. After a failure it starts no further call, waits for those
 * in flight, and rejects with the first error.
 */
export async function forEachLimited<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  const workers = Array.from({ length: CONCURRENCY }, () =>
    work().catch((error: unknown) => {
      queue.length = 0;
      throw error;
    }),
  );
  for (const { status, ...outcome } of await Promise.allSettled(workers))
    if (status === 'rejected') throw (outcome as PromiseRejectedResult).reason;
}
