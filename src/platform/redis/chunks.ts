// Splits work into several commands, since Redis serves nobody else while it runs one.

/**
 * @param max the weight at which a chunk ends; its last item may exceed it
 * @returns the items in their order
 */
export function chunksOf<T>(items: readonly T[], max: number, weightOf: (item: T) => number = () => 1): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const item of items) {
    if (room <= 0) {
      chunks.push([]);
      room = max;
    }
    chunks.at(-1)?.push(item);
    room -= weightOf(item);
  }
  return chunks;
}
