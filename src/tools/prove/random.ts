// A seeded random number generator: the same seed repeats the same run.

export interface Random {
  /** @returns a number from 0 up to, but not including, 1 */
  next(): number;
  /** @returns an integer; both bounds are included */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** @returns an independent generator, which draws the same numbers however often this one is used */
  fork(): Random;
}

/**
 * Mulberry32 by Tommy Ettinger, which is small and good enough for a simulation.
 * @param seed an integer; the same seed draws the same numbers
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const random: Random = {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    int: (min, max) => min + Math.floor(random.next() * (max - min + 1)),
    chance: (probability) => random.next() < probability,
    pick: (items) => items[random.int(0, items.length - 1)] as (typeof items)[number],
    fork: () => createRandom(random.int(0, 2 ** 32 - 1)),
  };
  return random;
}
