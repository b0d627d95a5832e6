// Which folders of texts a language tag stands for, and what a folder's texts fall back to. Pure.

/** Some of the texts: what a language or a regional variant does not have is taken from the folder it falls back to. */
export type Partly<T> = T extends ((...args: never[]) => unknown) | readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Partly<T[K]> }
    : T;

/**
 * @param tag a language tag, such as `de-CH`
 * @param folders the names of the folders, each a language tag
 * @returns the folders that a text is looked up in, the most general one first; none where the language has none
 */
export function foldersFor(tag: string, folders: readonly string[]): string[] {
  const parts = tag.split('-');
  return parts.map((_, at) => parts.slice(0, at + 1).join('-')).filter((part) => folders.includes(part));
}

/** @returns the texts of the more special folder, with those of the more general one where it has none */
export function fallBack<T extends object>(general: T, special: Partly<T>): T {
  const merged = Object.fromEntries(Object.entries(general));
  for (const [key, text] of Object.entries(special)) {
    const before = merged[key];
    merged[key] = isGroup(before) && isGroup(text) ? fallBack(before, text) : text;
  }
  return merged as T;
}

/** A list of texts is one text: it is taken as a whole. */
function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
