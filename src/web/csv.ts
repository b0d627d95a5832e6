// Writes tables for the reader's spreadsheet. [contract 13]
import Papa from 'papaparse';
import { guardCell } from '../text.ts';

export type Cell = string | number;

/**
 * @param locale of the reader: spreadsheets separate cells by semicolons where the comma is the decimal sign
 * @returns the table as CSV with the byte order mark that marks UTF-8, and no cell that a spreadsheet would execute
 */
export function toCsv(table: readonly Cell[][], locale: string): Blob {
  const decimal = new Intl.NumberFormat(locale).formatToParts(0.5);
  const hasDecimalComma = decimal.some(({ type, value }) => type === 'decimal' && value === ',');
  const rows = table.map((row) => row.map((cell) => (typeof cell === 'string' ? guardCell(cell) : cell)));
  const csv = Papa.unparse(rows, { delimiter: hasDecimalComma ? ';' : ',', newline: '\r\n' });
  return new Blob([`\uFEFF${csv}\r\n`], { type: 'text/csv' });
}
