// Guesses what the columns of a table are, from its heading or from its cells. Pure.
import { foldAccents } from '../../text.ts';
import { ISO_639_1_CODES } from '../../vocabulary/lists/rules.ts';
import { HEADING_LANGUAGES, HEADINGS, SMALL_WORDS } from '../i18n/headings.ts';
import type { ROW_FIELDS } from './draft.ts';

/** What a column becomes; `none` is left out. */
export type Column = (typeof ROW_FIELDS)[number] | 'none';

export interface Columns {
  columns: Column[];
  /** The first row, if it is the table's heading and no word to learn. */
  heading: string[] | null;
}

const KEYS = new Map(
  (Object.keys(HEADINGS) as Column[]).flatMap((column) =>
    HEADINGS[column].split(' ').map((word) => [foldAccents(word), column] as const),
  ),
);

/**
 * Recognises a heading such as "Deutsch, Englisch" or "Nr., Word, Translation".
 * @param rows the first rows
 * @param languages the codes of the list's languages: of the words and of their translations
 */
export function guessColumns(rows: readonly (readonly string[])[], languages: readonly [string, string]): Columns {
  const keys = headingKeys(rows, languages);
  const used = keys ? rows.slice(1) : rows;
  const columns: Column[] = Array.from({ length: widthOf(used, keys?.length ?? 0) }, () => 'none');
  const filled = [...columns.keys()].filter((at) => keys?.[at] !== 'none' && used.some((row) => row[at]?.trim()));
  const lettered = filled.filter((at) => !isNumbers(used, at));
  let open = lettered.length > 1 ? lettered : filled;
  const take = (column: Column, at: number | undefined) => {
    if (at === undefined || columns.includes(column)) return;
    columns[at] = column;
    open = open.filter((other) => other !== at);
  };
  const headed = (key: string) => open.find((at) => keys?.[at] === key);
  const next = () => open.find((at) => keys?.[at] !== 'sourceGloss');
  const [source, target] = languages;
  take('sourceText', headed(source));
  take('targetText', headed(target));
  take('sourceText', headed('sourceText'));
  take('targetText', headed('targetText'));
  take('sourceGloss', headed('sourceGloss'));
  take('sourceText', next());
  // Between a word in kanji and its translation stands how the word is read.
  if (target !== 'ja' && open.length > 1)
    take(
      'sourceGloss',
      open.find((at) => isKana(used, at)),
    );
  take('targetText', next());
  // The third of three columns has notes; further columns are the level, the lesson, an example.
  if (open.length === 1) take('sourceGloss', open[0]);
  return { columns, heading: keys ? [...(rows[0] as string[])] : null };
}

/** A row of the table may have further cells by mistake, so that one alone adds no column behind the third. */
function widthOf(rows: readonly (readonly string[])[], headed: number): number {
  const lengthOf = (row: readonly string[]) =>
    row.reduce((length, cell, at) => (cell.trim() === '' ? length : at + 1), 0);
  const lengths = rows.map(lengthOf).sort((a, b) => b - a);
  const [longest = 0, second = longest] = lengths;
  return Math.max(headed, second, Math.min(longest, 3));
}

function isNumbers(rows: readonly (readonly string[])[], at: number): boolean {
  return rows.length > 1 && rows.every((row) => /^\s*\(?\d*[.)]?\s*$/.test(row[at] ?? ''));
}

function isKana(rows: readonly (readonly string[])[], at: number): boolean {
  return rows.every((row) => /^[\p{Script=Hiragana}\p{Script=Katakana}ー・\s]*$/u.test(row[at] ?? ''));
}

/**
 * @returns for each cell of the heading the language or the column that it names; null if the first row is no heading,
 *   as in a list of languages
 */
function headingKeys(
  [first, second]: readonly (readonly string[])[],
  languages: readonly [string, string],
): (string | undefined)[] | null {
  if (!first || !second) return null;
  const names = languageNames([...new Set([...HEADING_LANGUAGES, ...languages])]);
  const keys = first.map((cell) => keyOf(cell, names, languages));
  const isHeading = distinctMain(keys) > 1;
  return isHeading && distinctMain(second.map((cell) => keyOf(cell, names, languages))) < 2 ? keys : null;
}

/** @returns how many languages, words and translations are named, each counted once */
function distinctMain(keys: readonly (string | undefined)[]): number {
  return new Set(keys.filter((key) => key !== undefined && key !== 'none' && key !== 'sourceGloss')).size;
}

/** @returns the code of the language that a cell names, or the column that it heads */
function keyOf(cell: string, names: ReadonlyMap<string, string>, languages: readonly string[]): string | undefined {
  if (cell.length > 60) return undefined;
  const text = foldAccents(cell.trim()).replace(/[.:]$/, '');
  const code = text.split(/[-_]/)[0] as string;
  // Codes of other languages are words as well, such as `it` and `es`.
  if (languages.includes(code) && /^[a-z]{2}(?:[-_][a-z]{2})?$/.test(text)) return code;
  const known = names.get(text) ?? KEYS.get(text);
  if (known) return known;
  const words = text.split(/[\s()[\]/:.,_-]+/).filter((word) => word !== '' && !SMALL_WORDS.has(word));
  const keys = words.map((word) => KEYS.get(word) ?? names.get(word) ?? adjectiveOf(word, names));
  if (words.length < 1 || words.length > 3 || keys.includes(undefined)) return undefined;
  return keys.find((key) => key?.length === 2) ?? keys[0];
}

/** @returns the language of an adjective, such as `inglesa` or `englisches`; a few letters differ at the end */
function adjectiveOf(word: string, names: ReadonlyMap<string, string>): string | undefined {
  for (let length = word.length; length >= Math.max(5, word.length - 3); length--)
    for (const ending of ['', 'o', 'e', 'n']) {
      const code = names.get(word.slice(0, length) + ending);
      if (code) return code;
    }
  return undefined;
}

let lastNames: { locales: string; names: Map<string, string> } | undefined;

/** @returns the codes of all languages by their names in some languages, in lower case without accents */
function languageNames(locales: readonly string[]): Map<string, string> {
  if (lastNames?.locales === locales.join()) return lastNames.names;
  const names = new Map<string, string>();
  for (const locale of locales) {
    const inLocale = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    for (const code of ISO_639_1_CODES) {
      const name = inLocale.of(code);
      if (name) names.set(foldAccents(name), code);
    }
  }
  lastNames = { locales: locales.join(), names };
  return names;
}
