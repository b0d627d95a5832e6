// Cryptographic randomness that is cheap per call: nobody may foresee where the right answer stands,
// and a quiz of 50 questions draws some 500 numbers.
import { randomFillSync } from 'node:crypto';

const WORDS = 1024;
const RANGE = 2 ** 32;

/**
 * @param fill overwrites a buffer with random bits
 * @returns a function that gives, for a `bound` from 1 to 2³², a whole number from 0 to `bound` − 1,
 * each exactly as likely as any other
 */
export function createRandomInt(
  fill: (words: Uint32Array) => void = randomFillSync,
): (bound: number) => number {
  const words = new Uint32Array(WORDS);
  let used = WORDS;

  function next(): number {
    if (used === WORDS) {
      fill(words);
      used = 0;
    }
    return words[used++] as number;
  }

  return (bound) => {
    // The last, incomplete run of `bound` numbers would favour the small ones: draw again.
    const fair = RANGE - (RANGE % bound);
    let word = next();
    while (word >= fair) word = next();
    return word % bound;
  };
}

/** The service's source of randomness. */
export const randomInt = createRandomInt();
