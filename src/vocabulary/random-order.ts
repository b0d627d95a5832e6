// Shuffles lazily: reading a few items of a long array is cheap. Pure, since the randomness is a parameter.

/** @returns a uniformly distributed whole number from 0 to `bound` − 1 */
export type RandomInt = (bound: number) => number;

/** @returns the items in random order; the time depends on the number of items that are read */
export function* inRandomOrder<T>(items: readonly T[], random: RandomInt): Generator<T> {
  // The Fisher–Yates shuffle, which stores only the swapped places.
  const moved = new Map<number, number>();
  for (let place = 0; place < items.length; place++) {
    const drawn = place + random(items.length - place);
    const index = moved.get(drawn) ?? drawn;
    moved.set(drawn, moved.get(place) ?? place);
    yield items[index] as T;
  }
}
