// How alike two words look to somebody who knows neither language: what gives a cognate away, and what
// makes a wrong option tempting. Pure.
import { countBits, countEdits, countInOrder, countPiece, MAX_LETTERS } from './letters.ts';

const LETTER_BITS = 16;

/** What the eye sees of a word. */
export interface Shape {
  /** Of the text as it is shown. */
  length: number;
  /** The first of them in lower case and without accents. */
  letters: string;
  /** Of these. */
  consonants: string;
  /** Every two neighbours once, with the beginning and the end, in ascending order. */
  pairs: readonly number[];
  /** A bit for each pair, though several share one: what is alike has most of them in common. */
  mask: number;
}

/** How much two words are alike in one way. */
export type Likeness = (one: Shape, other: Shape) => number;

/** @param text a word as it is shown */
export function shapeOf(text: string): Shape {
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  // Nobody compares whole sentences letter by letter.
  const letters = folded.slice(0, MAX_LETTERS);
  const pairs = new Set<number>();
  let before = 0;
  for (let at = 0; at <= letters.length; at++) {
    const letter = at < letters.length ? letters.charCodeAt(at) : 0;
    pairs.add(before * 2 ** LETTER_BITS + letter);
    before = letter;
  }
  let mask = 0;
  for (const pair of pairs) mask |= 1 << bitOf(pair);
  const consonants = letters.replace(/[aeiou]/g, '');
  const ascending = [...pairs].sort((a, b) => a - b);
  return { length: text.length, letters, consonants, pairs: ascending, mask };
}

const bitOf = (pair: number) => Math.imul(pair ^ (pair / 2 ** LETTER_BITS), 0x9e3779b1) >>> 27;

/** @returns about how many pairs of letters two words share; cheap enough to ask of every word */
export function sharedBits(one: Shape, other: Shape): number {
  return countBits(one.mask & other.mask);
}

/** @returns the share of pairs of letters that two words have in common, 0 to 1 (Dice's coefficient) */
export function pairLikeness({ pairs: one }: Shape, { pairs: other }: Shape): number {
  let [at, beside, shared] = [0, 0, 0];
  while (at < one.length && beside < other.length) {
    const difference = (one[at] as number) - (other[beside] as number);
    if (difference === 0) shared += 1;
    if (difference <= 0) at += 1;
    if (difference >= 0) beside += 1;
  }
  return (2 * shared) / (one.length + other.length);
}

function shareKept(one: string, other: string): number {
  return 1 - countEdits(one, other) / Math.max(one.length, other.length, 1);
}

/** @returns the share of letters that stay when one word is made the other, 0 to 1 (Levenshtein) */
export const editLikeness: Likeness = (one, other) => shareKept(one.letters, other.letters);

/** The same of their consonants: it is the vowels first in which cognates differ, *nature* and *natura*. */
export const consonantLikeness: Likeness = (one, other) =>
  shareKept(one.consonants, other.consonants);

/** @returns the share of letters that two words have in the same order, 0 to 1 */
export function orderLikeness({ letters: one }: Shape, { letters: other }: Shape): number {
  return (2 * countInOrder(one, other)) / Math.max(one.length + other.length, 1);
}

/** @returns how many letters the longest piece has that is in both words */
export function sharedPiece({ letters: one }: Shape, { letters: other }: Shape): number {
  return countPiece(one, other);
}

/** How much two words look like each other as a whole, 0 to 1: whoever compares them may do so by any. */
export const LIKENESSES: readonly Likeness[] = [pairLikeness, editLikeness, orderLikeness];

/** @returns with how many same letters two words begin */
export function sharedBeginning({ letters: one }: Shape, { letters: other }: Shape): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
