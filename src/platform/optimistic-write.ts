// An optimistic write reads a state, computes its outcome, and writes it only if the state is still the same. It
// needs no lock, but has to be repeated where another process has changed the state in between.

/** @param tryOnce resolves to undefined where the state has changed meanwhile, as does the whole after `attempts` */
export async function retryOptimisticWrite<Result>(
  attempts: number,
  tryOnce: (attempt: number) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const result = await tryOnce(attempt);
    if (result !== undefined) return result;
  }
  return undefined;
}
