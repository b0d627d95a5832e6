// Randomness that is the same in every run.
import { createRandomInt } from '../../src/platform/random.ts';
import type { RandomInt } from '../../src/vocabulary/random-order.ts';

/** @returns mulberry32, from which whole numbers are drawn as in production */
export function seeded(seed: number): RandomInt {
  let state = seed >>> 0;
  return createRandomInt((words) => {
    for (let at = 0; at < words.length; at++) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      words[at] = (mixed ^ (mixed >>> 14)) >>> 0;
    }
  });
}
