// Tables as CSV for spreadsheets, as RFC 4180 describes, and which clients get them. [contract 13]
import Negotiator from 'negotiator';
import Papa from 'papaparse';
import { guardCell } from '../text.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';

type Cell = string | number | boolean | null | undefined;

/** @returns the line of the columns' names after the byte order mark that marks UTF-8 */
export function csvHeader(names: readonly string[]): string {
  return `\uFEFF${csvLines([[...names]])}`;
}

export function csvLines(lines: Cell[][]): string {
  if (lines.length === 0) return '';
  const guarded = lines.map((cells) => cells.map((cell) => (typeof cell === 'string' ? guardCell(cell) : cell)));
  return `${Papa.unparse(guarded, { newline: '\r\n' })}\r\n`;
}

const CSV = /^text\/(csv|\*)$/i;
const JSON_OR_ANY = /^(application\/(json|\*)|\*\/\*)$/i;

/** Negotiator leaves types of equal weight in their order, so that CSV must be first in the reversed header too. */
export function isCsvPreferred({ accept = '*/*' }: { accept?: string | undefined }): boolean {
  return isCsvFirst(accept) && isCsvFirst(accept.split(',').toReversed().join(','));
}

function isCsvFirst(accept: string): boolean {
  const types = new Negotiator({ headers: { accept } }).mediaTypes();
  return CSV.test(types.find((type) => CSV.test(type) || JSON_OR_ANY.test(type)) ?? '');
}
