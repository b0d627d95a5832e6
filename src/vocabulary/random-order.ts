// Random order that costs only what is read of it, with the randomness passed in: pure.

/** @returns a whole number from 0 to `bound` − 1, each as likely */
export type RandomInt = (bound: number) => number;

/** Takes time only for those that are read. */
export function* inRandomOrder<T>(items: readonly T[], random: RandomInt): Generator<T> {
  // Fisher–Yates, of which only the exchanged places are kept.
  const moved = new Map<number, number>();
  for (let place = 0; place < items.length; place++) {
    const drawn = place + random(items.length - place);
    const index = moved.get(drawn) ?? drawn;
    moved.set(drawn, moved.get(place) ?? place);
    yield items[index] as T;
  }
}
