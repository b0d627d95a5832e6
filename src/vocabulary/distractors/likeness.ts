// Measures how much two words look alike to a player who knows neither language, and the clues that an option gives
// beside its prompt. Likeness to the prompt makes a cognate guessable, and a wrong option plausible. Pure.
import { foldAccents } from '../../text.ts';
import type { Clues } from './balance.ts';

// Words are compared by bit-parallel algorithms, all letters of one word with a letter of the other at once, since a
// question takes hundreds of comparisons.

/** The number of letters that are compared, since a number has 32 bits, and sums need some of them. */
const MAX_LETTERS = 24;

/** By UTF-16 unit: a bit for each position at which a word has it. All comparisons share this array. */
const positions = new Int32Array(2 ** 16);

const positionsOf = (word: string, at: number) => positions[word.charCodeAt(at)] as number;

/** @returns the result of `count` for `other` while `positions` are those of `one` */
function withPositions(one: string, other: string, count: (other: string, length: number) => number): number {
  for (let at = 0; at < one.length; at++) positions[one.charCodeAt(at)] = positionsOf(one, at) | (1 << at);
  const found = count(other, one.length);
  for (let at = 0; at < one.length; at++) positions[one.charCodeAt(at)] = 0;
  return found;
}

/**
 * Computes the table of distances by columns, each of which takes two bits a row (Myers 1999).
 * @returns the number of letters to replace, insert or delete that turns one word into the other
 */
function editsFrom(other: string, length: number): number {
  if (length === 0) return other.length;
  let [more, less, edits] = [-1, 0, length];
  for (let at = 0; at < other.length; at++) {
    const same = positionsOf(other, at);
    const kept = same | less;
    const diagonal = (((same & more) + more) ^ more) | same;
    const [moreBefore, lessBefore] = [less | ~(diagonal | more), more & diagonal];
    edits += ((moreBefore >>> (length - 1)) & 1) - ((lessBefore >>> (length - 1)) & 1);
    const shifted = (moreBefore << 1) | 1;
    more = (lessBefore << 1) | ~(kept | shifted);
    less = shifted & kept;
  }
  return edits;
}

/** Clears as many bits as the longest common subsequence has letters (Hyyrö 2004). @returns its length */
function inOrderOf(other: string): number {
  let rest = -1;
  for (let at = 0; at < other.length; at++) {
    const kept = rest & positionsOf(other, at);
    rest = (rest + kept) | (rest - kept);
  }
  return countBits(~rest);
}

/** By position in `other`: a bit for each position of the first word at which the same substring ends. */
const ends = new Int32Array(MAX_LETTERS);

/** Searches for common substrings of growing length. @returns the length of the longest */
function pieceOf(other: string): number {
  for (let length = 0; ; length++) {
    let any = 0;
    for (let at = other.length - 1; at >= length; at--) {
      const before = length === 0 ? -1 : (ends[at - 1] as number) << 1;
      ends[at] = before & positionsOf(other, at);
      any |= ends[at] as number;
    }
    if (any === 0) return length;
  }
}

function countBits(word: number): number {
  let bits = word;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const LETTER_BITS = 16;
/** The UTF-16 units of a text that are read: enough for the compared letters with their combining accents. */
const MAX_UNITS = 4 * MAX_LETTERS;

export type Shape = ReturnType<typeof shapeOf>;

type Likeness = (one: Shape, other: Shape) => number;

/** @param text a word as options show it */
export function shapeOf(text: string) {
  const letters = foldAccents(text.slice(0, MAX_UNITS)).slice(0, MAX_LETTERS);
  const pairs = new Set<number>();
  let before = 0;
  for (let at = 0; at <= letters.length; at++) {
    const letter = at < letters.length ? letters.charCodeAt(at) : 0;
    pairs.add(before * 2 ** LETTER_BITS + letter);
    before = letter;
  }
  let mask = 0;
  for (const pair of pairs) mask |= 1 << bitOf(pair);
  return {
    length: text.length,
    letters,
    consonants: letters.replace(/[aeiou]/g, ''),
    /** The different pairs of adjacent letters, with the word's beginning and end, in ascending order. */
    pairs: [...pairs].sort((a, b) => a - b),
    /** A bit mask of the pairs, in which several pairs may share a bit. */
    mask,
  };
}

const bitOf = (pair: number) => Math.imul(pair ^ (pair / 2 ** LETTER_BITS), 0x9e3779b1) >>> 27;

/** @returns an estimate of how many pairs of letters two words share, which is cheap to compute */
export const sharedBits: Likeness = (one, other) => countBits(one.mask & other.mask);

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
  return 1 - withPositions(one, other, editsFrom) / Math.max(one.length, other.length, 1);
}

/** @returns the share of letters that stay when one word is turned into the other, 0 to 1 (Levenshtein) */
export const editLikeness: Likeness = (one, other) => shareKept(one.letters, other.letters);

/** Compares the consonants alone, since cognates often differ in vowels only, as *nature* and *natura*. */
export const consonantLikeness: Likeness = (one, other) => shareKept(one.consonants, other.consonants);

/** @returns the share of letters that two words have in the same order, 0 to 1 */
export const orderLikeness: Likeness = ({ letters: one }, { letters: other }) =>
  (2 * withPositions(one, other, inOrderOf)) / Math.max(one.length + other.length, 1);

/** @returns the length of the longest common substring of two words */
export const sharedPiece: Likeness = ({ letters: one }, { letters: other }) => withPositions(one, other, pieceOf);

/** The measures of whole words, from 0 to 1. */
export const LIKENESSES: readonly Likeness[] = [pairLikeness, editLikeness, orderLikeness];

/** @returns the length of the common prefix of two words */
export function sharedBeginning({ letters: one }: Shape, { letters: other }: Shape): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

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

/** @returns the clues of an option, the last of which `chooseThree` sets. @param frequency how often it was shown */
export function cluesOf(prompt: Shape, shape: Shape, frequency: number): Clues {
  const clues = new Float64Array(CLUES);
  for (const [clue, measure] of PROMPT_CLUES.entries()) clues[clue] = measure(prompt, shape);
  clues[PROMPT_CLUES.length] = frequency;
  return clues;
}
