// Reads the cells of words from pasted text or a file, as spreadsheets, Quizlet and Anki write them, and turns a cell into
// the text of a word. Pure.
import Papa from 'papaparse';

/** Of delimiters under which equally many lines have the same number of columns, the first is taken. */
const DELIMITERS = ['\t', ';', '|', ',', ' - ', ' – ', ' — ', ' = ', ': '];
/** Turns quotation off: the text of a spreadsheet has no zero character. */
const NO_QUOTE = '\0';
/** The empty rows of a spreadsheet, and lines that are drawn. */
const EMPTY_LINES = /^[\s,;|:=+-]*(?:\n|$)/gm;
/** Quizlet's separator between cards, where there is one behind each. */
const CARDS = ';';

/** Tags and entities that show that the cells are HTML; others, such as in "a < b", are plain text. */
const HTML =
  /<\/?(?:br|div|p|span|b|i|u|em|strong|img|font|li|sup|sub|ruby|rt)\b[^>]*>|&(?:nbsp|amp|lt|gt|quot|#x?[\da-f]+);/i;

/** What stands between cells and between rows; '' for what is to be found. */
export interface Separators {
  cells: string;
  rows: string;
}

export const FOUND_SEPARATORS: Separators = { cells: '', rows: '' };

export interface ImportedTable {
  rows: string[][];
  /** Whether the text has more rows than the limit. */
  isCut: boolean;
  /** Whether the cells are HTML. */
  isHtml: boolean;
}

/** Rows under one delimiter. */
interface Reading {
  rows: string[][];
  delimiter: string;
  /** How many rows have the most frequent number of columns, of at least two. */
  regular: number;
}

/**
 * Reads cells, with or without quotation marks. Without given separators, the delimiter is the one under which most
 * lines have the same number of columns.
 * @param max the largest number of rows
 */
export function readTable(text: string, max: number, separators: Separators = FOUND_SEPARATORS): ImportedTable {
  const { body, header } = readHeader(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const cells = separators.cells || header.separator;
  const { rows, delimiter } = readRows(body, { ...separators, cells }, { preview: max + 1, comments: header.comments });
  const found = joinFurtherCells(rows, delimiter).map((row) => row.filter((_cell, at) => !header.metadata.has(at)));
  return { rows: found.slice(0, max), isCut: found.length > max, isHtml: header.isHtml ?? HTML.test(body) };
}

function readRows(
  body: string,
  { cells, rows }: Separators,
  options: { preview: number; comments: string | false },
): Reading {
  const present = DELIMITERS.filter((one) => body.includes(one));
  const delimiters = cells ? [cells] : present;
  const between = (separator: string) => {
    const parts = body.split(separator).map((part) => part.replace(/^\n+|\n+$/g, ''));
    const cards = parts.filter((part) => part.trim() !== '').slice(0, options.preview);
    const possible = delimiters.filter((one) => one !== separator);
    return bestReading(possible, (one) => ({ rows: cards.map((card) => card.split(one)), isQuoted: true }));
  };
  if (rows) return between(rows);
  const lines = body.replace(EMPTY_LINES, '');
  const byLine = bestReading(delimiters, (delimiter) => parseLines(lines, delimiter, options));
  if (!body.includes(CARDS)) return byLine;
  const byCard = between(CARDS);
  // One line with two translations on each side, `Hund, Köter;dog, hound`, isn't two cards.
  const isLine = byLine.delimiter === CARDS && byCard.regular <= 2;
  const isBehindEachLine = byCard.regular === byLine.regular && !/[^;\s][ \t]*(?:\n|$)/.test(lines);
  return !isLine && (byCard.regular > byLine.regular || isBehindEachLine) ? byCard : byLine;
}

function bestReading(delimiters: readonly string[], read: (delimiter: string) => ParsedRows): Reading {
  const readings = (delimiters.length > 0 ? delimiters : ['\t']).map((delimiter) => {
    const { rows, isQuoted } = read(delimiter);
    const filled = rows.filter((row) => row.slice(1).some((cell) => cell.trim() !== ''));
    return { rows, delimiter, isQuoted, regular: mostFrequent(filled.map(({ length }) => length)).times };
  });
  // Under a delimiter that stands within quotation marks, the marks are in the wrong places.
  const quoted = readings.filter(({ isQuoted, regular }) => isQuoted && regular > 0);
  return (quoted.length > 0 ? quoted : readings).reduce((best, one) => (one.regular > best.regular ? one : best));
}

/** @returns the most frequent number, and of equally frequent ones the largest */
function mostFrequent(numbers: readonly number[]): { number: number; times: number } {
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  const [first] = [...times].sort(([a, timesA], [b, timesB]) => timesB - timesA || b - a);
  return first ? { number: first[0], times: first[1] } : { number: 0, times: 0 };
}

interface ParsedRows {
  rows: string[][];
  /** Whether quotation marks are around cells or plain characters everywhere. */
  isQuoted: boolean;
}

function parseLines(
  text: string,
  delimiter: string,
  options: { preview: number; comments: string | false },
): ParsedRows {
  const config = { ...options, delimiter, newline: '\n', skipEmptyLines: 'greedy' } as const;
  const quoted = Papa.parse<string[]>(text, config);
  if (!quoted.errors.some(({ type }) => type === 'Quotes')) return { rows: quoted.data, isQuoted: true };
  // If a quotation mark is never closed, all of them are read as plain characters.
  return { rows: Papa.parse<string[]>(text, { ...config, quoteChar: NO_QUOTE }).data, isQuoted: false };
}

/**
 * Where most rows have two columns, a further delimiter belongs to the translation: `to run,rennen, laufen`. A further
 * tab doesn't, since people don't type tabs into texts.
 */
function joinFurtherCells(rows: string[][], delimiter: string): string[][] {
  if (delimiter === '\t' || mostFrequent(rows.map(({ length }) => length)).number !== 2) return rows;
  return rows.map(([first = '', ...others]) =>
    others.length > 1 ? [first, others.join(delimiter)] : [first, ...others],
  );
}

interface Header {
  /** What stands between cells; '' where nothing says it. */
  separator: string;
  /** Whether the cells are HTML; undefined where nothing says it. */
  isHtml: boolean | undefined;
  /** The columns that are no texts of the card, such as tags, from 0. */
  metadata: ReadonlySet<number>;
  /** What comments begin with. */
  comments: '#' | false;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  space: ' ',
  pipe: '|',
  colon: ':',
};

/** The line by which Excel is told the separator. */
const EXCEL_SEPARATOR = /^"?sep=([^\n])"?[ \t]*(?:\n|$)/i;
/** A line of Anki's header, or a comment. */
const HASH_LINE = /^\s*"?#([^\n]*)(?:\n|$)/;
const ANKI_LINE = /^(separator|html|tags|columns|notetype|deck|guid|if matches)\b([a-z ]*):(.*)$/i;
/** The empty cells behind a text that a spreadsheet has saved. */
const EMPTY_CELLS = /"?([,;\t])\1*$/;

/**
 * Reads the lines with which Anki's exported text begins, such as `#separator:tab`, with comments between them:
 * https://docs.ankiweb.net/importing/text-files.html#file-headers.
 * @returns what the header says, and the text behind it
 */
function readHeader(text: string): { header: Header; body: string } {
  const excel = EXCEL_SEPARATOR.exec(text);
  let body = excel ? text.slice(excel[0].length) : text;
  let separator = excel?.[1] ?? '';
  let isHtml: boolean | undefined;
  let isAnki = false;
  const metadata = new Set<number>();
  for (let line = HASH_LINE.exec(body); line; line = HASH_LINE.exec(body)) {
    body = body.slice(line[0].length);
    const [, key = '', rest = '', value = ''] = ANKI_LINE.exec(line[1] ?? '') ?? [];
    isAnki ||= key !== '';
    const plain = value.replace(EMPTY_CELLS, '').trim().toLowerCase();
    const isResaved = plain !== '' && plain.length < value.trim().length;
    // A spreadsheet that has saved the header has replaced the separator as well.
    if (/^separator$/i.test(key)) separator = isResaved ? '' : (SEPARATORS[plain] ?? value);
    else if (/^html$/i.test(key)) isHtml = plain === 'true';
    // `#columns` names the columns, and `#tags column` says which one has the tags.
    else if (/ column$/i.test(rest)) metadata.add(Number(plain) - 1);
  }
  const header: Header = { separator, isHtml, metadata, comments: isAnki ? '#' : false };
  // Without Anki's lines, a text that begins with # is a word like others.
  return isAnki ? { header, body } : { header, body: excel ? text.slice(excel[0].length) : text };
}

/** Characters that nobody sees. */
const INVISIBLE = /[\u00AD\u180E\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Joiners beside nothing that they join, unlike those of Arabic and Indic scripts and of emoji. */
const JOINERS = /(^|[\p{ASCII}\s])[\u200C\u200D]+|[\u200C\u200D]+(?=[\p{ASCII}\s]|$)/gu;
const LINES = /[\n\r\v\f\u0085\u2028\u2029]+/;

/** A line that begins with a bracket goes on with the line before. Others are further translations. [contract 20] */
const NEXT_TRANSLATION = /[;,]?\n(?![([{（［｛【〔])/g;

/** @returns the visible text of a cell in one line, in which `;` stands between what had a line each */
export function textOfCell(cell: string): string {
  const lines = cell.replace(INVISIBLE, '').replace(JOINERS, '$1').split(LINES);
  const tidied = lines.map((line) => line.replace(/[\t\p{Zs}]+/gu, ' ').trim()).filter((line) => line !== '');
  return tidied.join('\n').replace(NEXT_TRANSLATION, '; ').replaceAll('\n', ' ');
}

/** Kanji with their reading behind them, as Anki has furigana: a space separates them from what is before. */
const FURIGANA = / ?([\p{Script=Han}々〆ヶ][^\s[\]]*?)\[([\p{Script=Hiragana}\p{Script=Katakana}ー]+)\]/gu;

/** @returns the text without its furigana, and how it is read; the reading is empty if the text has no furigana */
export function withoutFurigana(text: string): { text: string; reading: string } {
  const base = text.replace(FURIGANA, '$1').trim();
  return { text: base, reading: base === text.trim() ? '' : text.replace(FURIGANA, '$2').trim() };
}

/** The longest cell that is parsed, UTF-16 units. A text of this length is too long for a word anyway. */
const MAX_LENGTH = 5000;

/** What begins or ends a line. */
const BREAKS = /<br\s*\/?>|<\/?(?:div|p|li|ul|ol|tr|h\d)\b[^>]*>/gi;
/** The names of Anki's media files. */
const MEDIA = /\[sound:[^\]]*\]/g;

/** @returns the HTML of a cell with line breaks and furigana as plain text has them; other tags and entities stay */
export function plainLinesOf(html: string): string {
  const lines = html.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').replace(BREAKS, '\n').replace(MEDIA, '');
  return lines
    .replace(/<rp>[^<]*(?:<\/rp>)?/gi, '')
    .replace(/<rt\b[^>]*>([^<]*)(?:<\/rt>)?/gi, '[$1]')
    .replace(/<ruby\b[^>]*>/gi, ' ');
}
