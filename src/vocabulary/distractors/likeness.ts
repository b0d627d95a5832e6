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
  /** Every two neighbours once, with the beginning and the end, in ascending order. */
  pairs: readonly number[];
  /** A bit for each pair, though several share one: what is alike has most of them in common. */
  mask: number;
}

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
  return { length: text.length, letters, pairs: [...pairs].sort((a, b) => a - b), mask };
}

const bitOf = (pair: number) => Math.imul(pair ^ (pair / 2 ** LETTER_BITS), 0x9e3779b1) >>> 27;

/** @returns about how many pairs of letters two words share; cheap enough to ask of every word */
export function sharedBits(one: Shape, other: Shape): number {
  let bits = one.mask & other.mask;
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

/** One row of the table that is filled; made once, since it is filled for millions of words. */
const edits = new Uint8Array(LETTERS + 1);

/** @returns the share of letters that stay when one word is made the other, 0 to 1 (Levenshtein) */
export function editLikeness({ letters: one }: Shape, { letters: other }: Shape): number {
  for (let column = 0; column <= other.length; column++) edits[column] = column;
  for (let row = 1; row <= one.length; row++) {
    const letter = one.charCodeAt(row - 1);
    let diagonal = row - 1;
    let left = row;
    for (let column = 1; column <= other.length; column++) {
      const above = edits[column] as number;
      const replaced = other.charCodeAt(column - 1) === letter ? diagonal : diagonal + 1;
      edits[column - 1] = left;
      left = Math.min(above + 1, left + 1, replaced);
      diagonal = above;
    }
    edits[other.length] = left;
  }
  return 1 - (edits[other.length] as number) / Math.max(one.length, other.length, 1);
}

/** @returns with how many same letters two words begin */
export function sharedBeginning({ letters: one }: Shape, { letters: other }: Shape): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
