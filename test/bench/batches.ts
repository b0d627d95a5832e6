// Does something for many items, a limited number of them at a time.

const AT_ONCE = 25;

/** Runs `run` for each item, with limited concurrency. @returns the results, in the order of the items */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  run: (item: Item, index: number) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = Iterator.from(items).map((item, index) => [item, index] as const);
  const work = async () => {
    for (const [item, index] of entries) results[index] = await run(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** @returns the items in groups of this size; the last one may have fewer */
export function groupsOf<Item>(size: number, items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
