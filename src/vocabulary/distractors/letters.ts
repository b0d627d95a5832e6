// Compares two words by bit-parallel algorithms, which compare all letters of one word with a letter of the
// other at once. A question takes hundreds of comparisons. Pure.

/** The number of letters that are compared, since a number has 32 bits, and sums need some of them. */
export const MAX_LETTERS = 24;

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

/** @returns the number of letters to replace, insert or delete that turns one word into the other */
export const countEdits = (one: string, other: string) => withPositions(one, other, editsFrom);

/** Computes the table of distances by columns, each of which takes two bits a row (Myers 1999). */
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

/** @returns the length of the longest common subsequence of two words */
export const countInOrder = (one: string, other: string) => withPositions(one, other, inOrderOf);

/** Clears as many bits as the subsequence has letters (Hyyrö 2004). */
function inOrderOf(other: string): number {
  let rest = -1;
  for (let at = 0; at < other.length; at++) {
    const kept = rest & positionsOf(other, at);
    rest = (rest + kept) | (rest - kept);
  }
  return countBits(~rest);
}

/** @returns the length of the longest common substring of two words */
export const countPiece = (one: string, other: string) => withPositions(one, other, pieceOf);

/** By position in `other`: a bit for each position of the first word at which the same substring ends. */
const ends = new Int32Array(MAX_LETTERS);

/** Searches for common substrings of growing length. */
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

/** @returns how many of the 32 bits of a number are set */
export function countBits(word: number): number {
  let bits = word;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
