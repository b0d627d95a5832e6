// Finds what stands in brackets. Pure. [contract 20]

/** Brackets, and then their wide forms, of which NFKC makes the others. The two at the same place are a pair. */
const OPENING = '([{【（［｛';
const CLOSING = ')]}】）］｝';
const CLOSED = /[)\]}】）］｝]/;
/** The kinds of brackets: a bracket and its wide form are of one kind. */
const KINDS = 4;

/** @returns the code points of the text, and each pair of brackets with all that is in it as one item */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  const open: number[][] = Array.from({ length: KINDS }, () => []);
  for (const character of text) {
    const opened = OPENING.indexOf(character);
    if (opened >= 0) open[opened % KINDS]?.push(items.length);
    items.push(character);
    const closed = CLOSING.indexOf(character);
    const start = closed >= 0 ? open[closed % KINDS]?.pop() : undefined;
    if (start === undefined) continue;
    items.push(items.splice(start).join(''));
    // Brackets that were opened within the pair, and not closed, have no counterpart any more.
    for (const starts of open) while ((starts.at(-1) ?? -1) >= start) starts.pop();
  }
  return items;
}

/** @returns what stands between the brackets of an item; undefined for a code point */
export function innerOf(item: string): string | undefined {
  const isPair = item.length > 1 && OPENING.includes(item.charAt(0));
  return isPair ? item.slice(1, -1) : undefined;
}

/** @returns the text without brackets and what is in them; a bracket without its counterpart stays */
export function withoutBrackets(text: string): string {
  return CLOSED.test(text) ? outsideBrackets(itemsOf(text)) : text;
}

export function outsideBrackets(items: readonly string[]): string {
  return items.filter((item) => innerOf(item) === undefined).join('');
}
