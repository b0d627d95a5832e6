// Measures how much two words look alike to a player who knows neither language. Likeness to the prompt makes
// a cognate guessable, and a wrong option plausible. Pure.
import { foldAccents } from '../../text.ts';
import { countBits, countEdits, countInOrder, countPiece, MAX_LETTERS } from './letters.ts';

const LETTER_BITS = 16;
/** The UTF-16 units of a text that are read: enough for the compared letters with their combining accents. */
const MAX_UNITS = 4 * MAX_LETTERS;

/** The features of a word that are compared. */
export interface Shape {
  /** The length of the whole text. */
  length: number;
  /** The first letters of the text, in lower case and without accents. */
  letters: string;
  /** The consonants of `letters`. */
  consonants: string;
  /** The different pairs of adjacent letters, with the word's beginning and end, in ascending order. */
  pairs: readonly number[];
  /** A bit mask of the pairs, in which several pairs may share a bit. */
  mask: number;
}

/** A measure of likeness. */
export type Likeness = (one: Shape, other: Shape) => number;

/** @param text a word as options show it */
export function shapeOf(text: string): Shape {
  const folded = foldAccents(text.slice(0, MAX_UNITS));
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

/** @returns an estimate of how many pairs of letters two words share, which is cheap to compute */
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

/** @returns the share of letters that stay when one word is turned into the other, 0 to 1 (Levenshtein) */
export const editLikeness: Likeness = (one, other) => shareKept(one.letters, other.letters);

/** Compares the consonants alone, since cognates often differ in vowels only, as *nature* and *natura*. */
export const consonantLikeness: Likeness = (one, other) => shareKept(one.consonants, other.consonants);

/** @returns the share of letters that two words have in the same order, 0 to 1 */
export function orderLikeness({ letters: one }: Shape, { letters: other }: Shape): number {
  return (2 * countInOrder(one, other)) / Math.max(one.length + other.length, 1);
}

/** @returns the length of the longest common substring of two words */
export function sharedPiece({ letters: one }: Shape, { letters: other }: Shape): number {
  return countPiece(one, other);
}

/** The measures of whole words, from 0 to 1. */
export const LIKENESSES: readonly Likeness[] = [pairLikeness, editLikeness, orderLikeness];

/** @returns the length of the common prefix of two words */
export function sharedBeginning({ letters: one }: Shape, { letters: other }: Shape): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
