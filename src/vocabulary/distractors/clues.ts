// The clues by which a player who knows neither language may guess the right option. Pure.
import type { Clues } from './balance.ts';
import { consonantLikeness, LIKENESSES, type Likeness, type Shape, sharedBeginning, sharedPiece } from './likeness.ts';

/** The clues that an option gives beside its prompt. */
const PROMPT_CLUES: readonly Likeness[] = [
  ...LIKENESSES,
  consonantLikeness,
  sharedBeginning,
  sharedPiece,
  (_, { length }) => length,
  (prompt, { length }) => -Math.abs(length - prompt.length),
];
/** Two more clues are how often the option was shown, and how much it resembles the other options. */
export const CLUES = PROMPT_CLUES.length + 2;

/**
 * @param frequency how often the option was shown
 * @returns the clues of an option, the last of which exchange.ts sets
 */
export function cluesOf(prompt: Shape, shape: Shape, frequency: number): Clues {
  const clues = new Float64Array(CLUES);
  for (const [clue, measure] of PROMPT_CLUES.entries()) clues[clue] = measure(prompt, shape);
  clues[PROMPT_CLUES.length] = frequency;
  return clues;
}

/** @returns how much an option resembles the prompt, by all measures together */
export function likenessOf(clues: Clues): number {
  let sum = 0;
  for (let clue = 0; clue < LIKENESSES.length; clue++) sum += clues[clue] as number;
  return sum;
}
