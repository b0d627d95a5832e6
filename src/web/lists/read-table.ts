// A spreadsheet's cells, pasted or from a file, whichever of the usual ways they are written in. Pure.
import Papa from 'papaparse';

const DELIMITERS = ['\t', ';', ','];
/** No text of people's has it. */
const NO_QUOTE = '\0';

export interface Table {
  rows: string[][];
  /** Whether there was more than was asked for. */
  isCut: boolean;
}

/**
 * Reads cells between tabs, semicolons or commas, in quotes or not.
 * @param max rows at most
 */
export function readTable(text: string, max: number): Table {
  const options = { skipEmptyLines: 'greedy', preview: max + 1 } as const;
  const quoted = Papa.parse<string[]>(text, { ...options, delimitersToGuess: DELIMITERS });
  // A quotation mark that is never closed is one that was meant as it stands.
  const isQuoted = !quoted.errors.some(({ type }) => type === 'Quotes');
  const { data } = isQuoted ? quoted : Papa.parse<string[]>(text, { ...options, ...plain(text) });
  return { rows: data.slice(0, max), isCut: data.length > max };
}

/** Guessing goes by quotation marks: here the first delimiter there is must do. */
function plain(text: string) {
  const delimiter = DELIMITERS.find((one) => text.includes(one)) ?? ',';
  return { delimiter, quoteChar: NO_QUOTE };
}

/** @returns the text of a file: in UTF-8, or as spreadsheets under Windows write it */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (isUtf16) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
