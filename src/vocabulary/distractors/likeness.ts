// How alike two words look to somebody who knows neither language: what gives a cognate away, and what
// makes a wrong option tempting. Pure.

/** Letters beyond these are not compared: nobody compares sentences letter by letter. */
const LETTERS = 24;
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
  const letters = folded.slice(0, LETTERS);
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

function countBits(word: number): number {
  let bits = word;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
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

/** By letter: a bit for each place at which a word has it. Made once, since it is filled for millions. */
const places = new Int32Array(2 ** LETTER_BITS);

const placesOf = (word: string, at: number) => places[word.charCodeAt(at)] as number;

/** @returns what `count` finds in `other` while `places` are those of `one` */
function beside(one: string, other: string, count: (other: string, length: number) => number) {
  for (let at = 0; at < one.length; at++)
    places[one.charCodeAt(at)] = placesOf(one, at) | (1 << at);
  const found = count(other, one.length);
  for (let at = 0; at < one.length; at++) places[one.charCodeAt(at)] = 0;
  return found;
}

function shareKept(one: string, other: string): number {
  return 1 - beside(one, other, countEdits) / Math.max(one.length, other.length, 1);
}

/** @returns the share of letters that stay when one word is made the other, 0 to 1 (Levenshtein) */
export const editLikeness: Likeness = (one, other) => shareKept(one.letters, other.letters);

/** The same of their consonants: it is the vowels first in which cognates differ, *nature* and *natura*. */
export const consonantLikeness: Likeness = (one, other) =>
  shareKept(one.consonants, other.consonants);

/** Goes through the table of distances by columns, each of which is two bits a row (Myers). */
function countEdits(other: string, length: number): number {
  if (length === 0) return other.length;
  let [more, less, edits] = [-1, 0, length];
  for (let at = 0; at < other.length; at++) {
    const same = placesOf(other, at);
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

/** @returns the share of letters that two words have in the same order, 0 to 1 */
export function orderLikeness({ letters: one }: Shape, { letters: other }: Shape): number {
  return (2 * beside(one, other, countInOrder)) / Math.max(one.length + other.length, 1);
}

/** The length of the longest common subsequence: as many bits are gone at the end (Hyyrö). */
function countInOrder(other: string): number {
  let rest = -1;
  for (let at = 0; at < other.length; at++) {
    const kept = rest & placesOf(other, at);
    rest = (rest + kept) | (rest - kept);
  }
  return countBits(~rest);
}

/** @returns how many letters the longest piece has that is in both words */
export function sharedPiece({ letters: one }: Shape, { letters: other }: Shape): number {
  return beside(one, other, countPiece);
}

/** By place in `other`: a bit for each place of the other word where a piece ends that ends here. */
const ends = new Int32Array(LETTERS);

/** For longer and longer pieces of `other`: where in the other word they end. */
function countPiece(other: string): number {
  for (let length = 0; ; length++) {
    let any = 0;
    for (let at = other.length - 1; at >= length; at--) {
      const before = length === 0 ? -1 : (ends[at - 1] as number) << 1;
      ends[at] = before & placesOf(other, at);
      any |= ends[at] as number;
    }
    if (any === 0) return length;
  }
}

/** How much two words look like each other as a whole, 0 to 1: whoever compares them may do so by any. */
export const LIKENESSES: readonly Likeness[] = [pairLikeness, editLikeness, orderLikeness];

/** @returns with how many same letters two words begin */
export function sharedBeginning({ letters: one }: Shape, { letters: other }: Shape): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
