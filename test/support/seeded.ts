// Random numbers that are the same in every run.
import { createRandom } from '../../src/tools/prove/random.ts';
import type { RandomInt } from '../../src/vocabulary/random-order.ts';

/** @returns a deterministic substitute of Node.js's `randomInt`; the seed determines its numbers */
export function seeded(seed: number): RandomInt {
  const random = createRandom(seed);
  return (bound) => random.int(0, bound - 1);
}
