// Reads the cells of words from pasted text or a file, as spreadsheets, Quizlet and Anki write them. Pure.
import Papa from 'papaparse';
import { ISO_639_1_CODES } from '../../vocabulary/lists/rules.ts';

const DELIMITERS = ['\t', ';', ','];
/** Delimiters of notes written by hand, which are looked for where no line has any of the usual ones. */
const SPACED_DELIMITERS = [' – ', ' - ', ' = '];
/** Turns quotation off: the text of a spreadsheet has no zero character. */
const NO_QUOTE = '\0';

/** Tags and entities that show that the cells are HTML; others, such as in "a < b", are plain text. */
const HTML = /<\/?(?:br|div|p|span|b|i|u|em|strong|img|font|li|sup|sub)\b[^>]*>|&(?:nbsp|amp|lt|gt|quot|#x?[\da-f]+);/i;

/** What stands between cells and between rows; '' for a delimiter that is found, and for lines. */
export interface Separators {
  cells: string;
  rows: string;
}

export const FOUND_SEPARATORS: Separators = { cells: '', rows: '' };

interface ImportedTable {
  rows: string[][];
  /** Whether the text has more rows than the limit. */
  isCut: boolean;
  /** Whether the cells are HTML. */
  isHtml: boolean;
}

/**
 * Reads cells between tabs, semicolons or commas, with or without quotation marks, or between given separators.
 * @param max the largest number of rows
 */
export function readTable(text: string, max: number, { cells, rows }: Separators = FOUND_SEPARATORS): ImportedTable {
  const { body, header } = readAnkiHeader(text.replace(/^\uFEFF/, ''));
  const delimiter = cells || header.separator;
  const read = rows ? splitRows(body, rows, delimiter, max + 1) : parse(body, delimiter, max + 1);
  const found = read.map((row) => withoutMetadata(row, header));
  return { rows: found.slice(0, max), isCut: found.length > max, isHtml: header.isHtml ?? HTML.test(body) };
}

/** Reads one row a line. @param delimiter '' where it is to be found */
function parse(text: string, delimiter: string, preview: number): string[][] {
  const options = { skipEmptyLines: 'greedy', preview } as const;
  const given = delimiter || spacedDelimiter(text);
  const quoted = Papa.parse<string[]>(text, {
    ...options,
    delimitersToGuess: DELIMITERS,
    ...(given && { delimiter: given }),
  });
  // If a quotation mark is never closed, all of them are read as plain characters.
  if (!quoted.errors.some(({ type }) => type === 'Quotes')) return quoted.data;
  const unquoted = { delimiter: given || usualDelimiter(text), quoteChar: NO_QUOTE };
  return Papa.parse<string[]>(text, { ...options, ...unquoted }).data;
}

/** Papa Parse would consider quotation marks when it guesses the delimiter. */
function usualDelimiter(text: string): string {
  return DELIMITERS.find((one) => text.includes(one)) ?? ',';
}

function spacedDelimiter(text: string): string {
  if (DELIMITERS.some((one) => text.includes(one))) return '';
  return SPACED_DELIMITERS.find((one) => text.includes(one)) ?? '';
}

/** Reads rows between separators of the user's choice, as Quizlet exports them: without quotation. */
function splitRows(text: string, separator: string, delimiter: string, max: number): string[][] {
  const body = text.replace(/\r\n?/g, '\n');
  const between = delimiter || spacedDelimiter(body) || usualDelimiter(body.replaceAll(separator, ''));
  return body
    .split(separator)
    .filter((row) => row.trim() !== '')
    .slice(0, max)
    .map((row) => row.split(between));
}

function withoutMetadata(row: readonly string[], { metadata }: AnkiHeader): string[] {
  return row.filter((_cell, at) => !metadata.has(at));
}

/** @returns the text of a file in UTF-8, UTF-16 or Windows-1252, which spreadsheets on Windows write */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

interface AnkiHeader {
  /** What stands between cells; '' without such a line. */
  separator: string;
  /** Whether the cells are HTML; undefined without such a line. */
  isHtml: boolean | undefined;
  /** The columns that are no texts of the card, such as tags, from 0. */
  metadata: ReadonlySet<number>;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  space: ' ',
  pipe: '|',
  colon: ':',
};

const LINE = /^#([a-z][a-z ]*):([^\r\n]*)(?:\r?\n|$)/i;

/**
 * Reads the lines with which Anki's exported text begins, such as `#separator:tab`:
 * https://docs.ankiweb.net/importing/text-files.html#file-headers.
 * @returns what the header says, and the text behind it
 */
function readAnkiHeader(text: string): { header: AnkiHeader; body: string } {
  let body = text;
  let separator = '';
  let isHtml: boolean | undefined;
  const metadata = new Set<number>();
  for (let line = LINE.exec(body); line; line = LINE.exec(body)) {
    const [whole, key = '', value = ''] = line;
    if (/^separator$/i.test(key)) separator = SEPARATORS[value.trim().toLowerCase()] ?? value;
    else if (/^html$/i.test(key)) isHtml = value.trim() === 'true';
    // `#columns` names the columns, and `#tags column` says which one has the tags.
    else if (/ column$/i.test(key)) metadata.add(Number(value) - 1);
    body = body.slice(whole.length);
  }
  return { header: { separator, isHtml, metadata }, body };
}

/** The languages in whose words a heading is recognised, besides the two of the list. */
const HEADING_LANGUAGES = ['en', 'de', 'es', 'fr', 'it'];

/** Headings of the first column, in lower case. */
const WORD_HEADINGS = new Set(
  [
    'word,words,term,terms,vocabulary,expression,phrase,front,question,prompt,source,original,foreign language',
    'wort,wörter,begriff,vokabel,vokabeln,ausdruck,vorderseite,frage,fremdsprache',
    'palabra,palabras,término,vocabulario,expresión,frase,anverso,pregunta',
    'mot,mots,terme,vocabulaire,recto',
    'parola,parole,vocabolo,termine,vocabolario,espressione,fronte,domanda',
  ].flatMap((line) => line.split(',')),
);

/** Headings of the second column, in lower case. */
const TRANSLATION_HEADINGS = new Set(
  [
    'translation,translations,meaning,definition,back,answer,target,native language',
    'übersetzung,übersetzungen,bedeutung,definition,rückseite,antwort,muttersprache',
    'traducción,traducciones,significado,definición,reverso,respuesta',
    'traduction,traductions,signification,définition,verso,réponse',
    'traduzione,traduzioni,significato,definizione,retro,risposta',
  ].flatMap((line) => line.split(',')),
);

/**
 * Recognises the heading of a spreadsheet, such as "Deutsch, Englisch" or "Word, Translation", which is no word to
 * learn.
 * @param languages the codes of the list's languages
 * @returns whether the first row of a table is its heading, and not a word: each of its two cells names a language or
 * a column, and the next row's don't
 */
export function hasHeading(table: readonly string[][], languages: readonly string[]): boolean {
  const [first, second] = table;
  if (!first || !second) return false;
  const codes = languageCodes([...HEADING_LANGUAGES, ...languages]);
  const [source, target] = [roleOf(first[0], codes), roleOf(first[1], codes)];
  // A list of languages has the same language on both sides, such as "German, Deutsch".
  if (!source || !target || source === target) return false;
  return !(roleOf(second[0], codes) && roleOf(second[1], codes));
}

/** @returns the code of the language that a cell names, or the column that it heads */
function roleOf(cell = '', codes: ReadonlyMap<string, string>): string | undefined {
  const text = cell.trim().toLowerCase();
  if (WORD_HEADINGS.has(text)) return 'word';
  if (TRANSLATION_HEADINGS.has(text)) return 'translation';
  return codes.get(text);
}

/** @returns the codes of all languages by their names in some languages, in lower case */
function languageCodes(locales: readonly string[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const locale of locales) {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    for (const code of ISO_639_1_CODES) {
      const name = names.of(code);
      if (name) codes.set(name.toLowerCase(), code);
    }
  }
  return codes;
}
