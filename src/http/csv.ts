// Tables as CSV for spreadsheets, as RFC 4180 describes, and which clients get them. [contract 13]
import { stringify } from 'csv-stringify/sync';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { guardCell } from '../text.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';

type Cell = string | number | boolean | null | undefined;

/** csv-stringify quotes cells with CRLF only, but for some readers CR or LF alone ends a record too. */
const LINE_BREAK = /[\r\n]/;

const FORMAT = {
  record_delimiter: 'windows',
  quoted_match: LINE_BREAK,
  cast: { boolean: String, string: guardCell },
} as const;

/** @returns the line of the columns' names after the byte order mark that marks UTF-8 */
export function csvHeader(names: readonly string[]): string {
  return stringify([[...names]], { ...FORMAT, bom: true });
}

export function csvLines(lines: Cell[][]): string {
  return stringify(lines, FORMAT);
}

const CSV = /^text\/(csv|\*)$/i;
const JSON_OR_ANY = /^(application\/(json|\*)|\*\/\*)$/i;

/**
 * @returns whether `Accept` gives CSV a greater weight than JSON. Negotiator leaves types of equal weight in
 *   their order, so that CSV must also come first when the header is reversed
 */
export function isCsvPreferred({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return isCsvFirst(accept) && isCsvFirst(accept.split(',').toReversed().join(','));
}

function isCsvFirst(accept: string): boolean {
  const types = new Negotiator({ headers: { accept } }).mediaTypes();
  return CSV.test(types.find((type) => CSV.test(type) || JSON_OR_ANY.test(type)) ?? '');
}
