// Compares two texts by edits. Pure. [contract 20]

/** The most UTF-16 units that two texts of one edit may differ in: two code points, and one beside each end. */
const DIFFERING_MAX = 8;

const isLowSurrogate = (unit: number) => (unit & 0xfc00) === 0xdc00;

/**
 * @returns whether one insertion, deletion, substitution or swap of neighbouring code points makes one text the other,
 *   in time proportional to their length; false for equal texts
 */
export function isOneEditApart(one: string, other: string): boolean {
  const shared = Math.min(one.length, other.length);
  let start = 0;
  while (start < shared && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  let end = 0;
  while (end < shared - start && unitAtEnd(one, end) === unitAtEnd(other, end)) end++;
  // A code point outside the basic plane has two units, which must not be separated.
  if (isLowSurrogate(one.charCodeAt(start)) || isLowSurrogate(other.charCodeAt(start))) start--;
  if (end > 0 && isLowSurrogate(unitAtEnd(one, end - 1))) end--;
  if (Math.max(one.length, other.length) - start - end > DIFFERING_MAX) return false;
  return isOneEdit([...one.slice(start, one.length - end)], [...other.slice(start, other.length - end)]);
}

const unitAtEnd = (text: string, at: number) => text.charCodeAt(text.length - 1 - at);

function isOneEdit(one: readonly string[], other: readonly string[]): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const surplus = long.length - short.length;
  let start = 0;
  while (start < short.length && long[start] === short[start]) start++;
  let end = 0;
  while (end < short.length - start && long.at(-1 - end) === short.at(-1 - end)) end++;
  const differing = long.length - start - end;
  if (differing === 1) return true;
  const isSwap = long[start] === short[start + 1] && long[start + 1] === short[start];
  return surplus === 0 && differing === 2 && isSwap;
}
