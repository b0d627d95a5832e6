// Reads the cells of words from pasted text or a file, as spreadsheets, Quizlet and Anki write them. Pure.
import Papa from 'papaparse';
import { type AnkiHeader, readAnkiHeader } from './anki-header.ts';

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
