// Reads a spreadsheet's cells from pasted text or a file. Pure.
import Papa from 'papaparse';

const DELIMITERS = ['\t', ';', ','];
/** Turns quotation off: the text of a spreadsheet has no zero character. */
const NO_QUOTE = '\0';

interface ImportedTable {
  rows: string[][];
  /** Whether the text has more rows than the limit. */
  isCut: boolean;
}

/**
 * Reads cells between tabs, semicolons or commas, with or without quotation marks.
 * @param max the largest number of rows
 */
export function readTable(text: string, max: number): ImportedTable {
  const options = { skipEmptyLines: 'greedy', preview: max + 1 } as const;
  const quoted = Papa.parse<string[]>(text, { ...options, delimitersToGuess: DELIMITERS });
  // If a quotation mark is never closed, all of them are read as plain characters.
  const isQuoted = !quoted.errors.some(({ type }) => type === 'Quotes');
  const { data } = isQuoted ? quoted : Papa.parse<string[]>(text, { ...options, ...plain(text) });
  return { rows: data.slice(0, max), isCut: data.length > max };
}

/** Papa Parse would consider quotation marks when it guesses the delimiter. */
function plain(text: string) {
  const delimiter = DELIMITERS.find((one) => text.includes(one)) ?? ',';
  return { delimiter, quoteChar: NO_QUOTE };
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
