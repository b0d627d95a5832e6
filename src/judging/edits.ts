// Compares two texts by edits. Pure. [contract 20]

/**
 * @returns whether one insertion, deletion, substitution or swap of neighbours makes one list of code points the
 *   other, in time proportional to their length; false for equal lists
 */
export function isOneEditApart(one: readonly string[], other: readonly string[]): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const surplus = long.length - short.length;
  if (surplus > 1) return false;
  let start = 0;
  while (start < short.length && long[start] === short[start]) start++;
  let end = 0;
  while (end < short.length - start && long.at(-1 - end) === short.at(-1 - end)) end++;
  const differing = long.length - start - end;
  if (differing === 1) return true;
  const isSwap = long[start] === short[start + 1] && long[start + 1] === short[start];
  return surplus === 0 && differing === 2 && isSwap;
}
