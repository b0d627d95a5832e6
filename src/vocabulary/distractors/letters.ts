// Compares two words letter by letter: all letters of one with a letter of the other at a time, as bits of a
// number, since it is done hundreds of times for a question. Pure.

/** So long may words be: a number has 32 bits, and sums need some. */
export const MAX_LETTERS = 24;

/** By letter (UTF-16): a bit for each place at which a word has it. Made once, since it is filled for millions. */
const places = new Int32Array(2 ** 16);

const placesOf = (word: string, at: number) => places[word.charCodeAt(at)] as number;

/** @returns what `count` finds in `other` while `places` are those of `one` */
function beside(one: string, other: string, count: (other: string, length: number) => number) {
  for (let at = 0; at < one.length; at++)
    places[one.charCodeAt(at)] = placesOf(one, at) | (1 << at);
  const found = count(other, one.length);
  for (let at = 0; at < one.length; at++) places[one.charCodeAt(at)] = 0;
  return found;
}

/** @returns how many letters must be replaced, added or taken away to make one word the other */
export const countEdits = (one: string, other: string) => beside(one, other, editsFrom);

/** Goes through the table of distances by columns, each of which is two bits a row (Myers). */
function editsFrom(other: string, length: number): number {
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

/** @returns how many letters two words have in the same order: their longest common subsequence */
export const countInOrder = (one: string, other: string) => beside(one, other, inOrderOf);

/** As many bits as are gone at the end (Hyyrö). */
function inOrderOf(other: string): number {
  let rest = -1;
  for (let at = 0; at < other.length; at++) {
    const kept = rest & placesOf(other, at);
    rest = (rest + kept) | (rest - kept);
  }
  return countBits(~rest);
}

/** @returns how many letters the longest piece has that is in both words */
export const countPiece = (one: string, other: string) => beside(one, other, pieceOf);

/** By place in `other`: a bit for each place of the other word where a piece ends that ends here. */
const ends = new Int32Array(MAX_LETTERS);

/** For longer and longer pieces of `other`: where in the other word they end. */
function pieceOf(other: string): number {
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

/** @returns how many bits of a number are set, of 32 */
export function countBits(word: number): number {
  let bits = word;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
