// Does the same for many, some at a time. Not p-map: after a failure it waits for nobody who is under
// way, and what they have done could not be undone.

/** As many at once: enough to be quick, too few to be a crowd. */
const AT_ONCE = 10;

/** Some at a time, and no more after a failure. */
export async function each<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      queue.length = 0;
      throw error;
    }),
  );
  for (const { status, ...outcome } of await Promise.allSettled(workers))
    if (status === 'rejected') throw (outcome as PromiseRejectedResult).reason;
}
