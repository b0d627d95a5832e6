// Finds what stands in brackets. Pure. [contract 20]

/** The pairs of brackets with their wide forms, which NFKC makes of them. */
const PAIRS = ['()', '（）', '[]', '［］', '{}', '｛｝', '【】'];
/** The kinds of brackets: a bracket and its wide form are of one kind. */
const KINDS = 4;
const kindAt = (index: number) => index >> 1;
const OPENING = new Map(PAIRS.map(([opening], index) => [opening, kindAt(index)]));
const CLOSED = /[)）\]］}｝】]/;
const CLOSING = new Map(PAIRS.map(([, closing], index) => [closing, kindAt(index)]));

/**
 * @returns the text in items: its code points, and each pair of brackets with all that is in it as a whole. A bracket
 *   without its counterpart is a code point like others
 */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  const open: number[][] = Array.from({ length: KINDS }, () => []);
  for (const character of text) {
    const opened = OPENING.get(character);
    if (opened !== undefined) open[opened]?.push(items.length);
    items.push(character);
    const closed = CLOSING.get(character);
    const start = closed === undefined ? undefined : open[closed]?.pop();
    if (start === undefined) continue;
    items.push(items.splice(start).join(''));
    // Brackets that were opened within the pair, and not closed, have no counterpart any more.
    for (const starts of open) while ((starts.at(-1) ?? -1) >= start) starts.pop();
  }
  return items;
}

/** @returns what stands between the brackets of an item; undefined for a code point */
export function innerOf(item: string): string | undefined {
  const isPair = item.length > 1 && OPENING.has(item.charAt(0));
  return isPair ? item.slice(1, -1) : undefined;
}

/** @returns the text without brackets and what is in them; a bracket without its counterpart stays */
export function withoutBrackets(text: string): string {
  if (!CLOSED.test(text)) return text;
  return itemsOf(text)
    .filter((item) => innerOf(item) === undefined)
    .join('');
}
