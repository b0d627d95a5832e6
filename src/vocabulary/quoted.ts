// Words as JSON strings. A few thousand words are asked again and again: each is written once and then
// remembered, which costs a fifth of writing it anew.

/** Some 10 MB. */
const MAX_REMEMBERED = 50_000;

const remembered = new Map<string, string>();

/** @param text a word or a gloss of the vocabulary; what is asked once alone is not worth it */
export function quoted(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const written = JSON.stringify(text);
  remembered.set(text, written);
  return written;
}
