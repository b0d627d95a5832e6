// What options give away, to whoever knows neither language. Pure.
import type { Clues } from './balance.ts';
import {
  consonantLikeness,
  LIKENESSES,
  type Likeness,
  type Shape,
  sharedBeginning,
  sharedPiece,
} from './likeness.ts';

/** By what an option can be told from others at a glance, beside its prompt. */
const LOOKS: readonly Likeness[] = [
  ...LIKENESSES,
  consonantLikeness,
  sharedBeginning,
  sharedPiece,
  (_, { length }) => length,
  (prompt, { length }) => -Math.abs(length - prompt.length),
];
/** Besides, how often it was shown, and how much it is like the other options. */
export const CLUES = LOOKS.length + 2;

/** @param frequency how often the option was shown */
export function cluesOf(prompt: Shape, shape: Shape, frequency: number): Clues {
  const clues = new Float64Array(CLUES);
  for (const [clue, look] of LOOKS.entries()) clues[clue] = look(prompt, shape);
  clues[LOOKS.length] = frequency;
  return clues;
}

/** @returns how much an option looks like the prompt, by all measures */
export function likenessOf(clues: Clues): number {
  let sum = 0;
  for (let clue = 0; clue < LIKENESSES.length; clue++) sum += clues[clue] as number;
  return sum;
}
