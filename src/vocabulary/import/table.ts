// Tables with a header: cells between commas, semicolons or tabs, quoted as in RFC 4180. No cell has a
// line break in it, so that a quote which is not closed spoils its own line alone.
import { parse as parseCsv } from 'csv-parse/sync';
import { ImportError } from './import-error.ts';

type Read = { fields: Record<string, string> } | { problem: string };

/** A table's columns, and how its rows are read. */
export interface Table {
  columns: string[];
  /** @returns what each row holds, or what is wrong with it */
  parse(rows: string[]): Read[];
}

/**
 * @param known what a column may be called
 * @throws ImportError when it isn't the header of such a table
 */
export function readHeader(header: string, known: readonly string[]): Table {
  const separator = /[\t;,]/.exec(header)?.[0] ?? ',';
  const columns = splitRow(header, separator)?.map((name) => name.trim()) ?? [];
  const unknown = columns.find((name) => !known.includes(name));
  if (columns.length < 2 || unknown !== undefined)
    throw new ImportError(
      `The first line must name the columns, which are ${known.join(', ')}` +
        `${unknown === undefined ? '.' : `; it has "${printable(unknown)}".`}`,
    );
  if (new Set(columns).size < columns.length)
    throw new ImportError('The first line names a column twice.');
  return {
    columns,
    parse: (rows) => splitRows(rows, separator).map((cells) => toFields(cells, columns)),
  };
}

function toFields(cells: string[] | undefined, columns: string[]): Read {
  if (!cells) return { problem: 'has a quote that is not closed, or text after a closing one' };
  if (cells.length > columns.length)
    return { problem: `has ${cells.length} fields, the first line ${columns.length}` };
  return { fields: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) };
}

/** What is no list of terms at all must not reach the terminal as it is. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\p{L}\p{N}\p{P} ]/gu, '?');
}

/** All at once where each is well-formed, which otherwise shows in their number. */
function splitRows(rows: string[], separator: string): (string[] | undefined)[] {
  if (rows.some((row) => row.includes('"'))) {
    const together = parsed(rows.join('\n'), separator);
    if (together?.length === rows.length) return together;
  }
  return rows.map((row) => splitRow(row, separator));
}

/** @returns the row's cells, or undefined when its quotes are wrong */
function splitRow(row: string, separator: string): string[] | undefined {
  return row.includes('"') ? parsed(row, separator)?.[0] : row.split(separator);
}

function parsed(text: string, separator: string): string[][] | undefined {
  try {
    return parseCsv(text, { delimiter: separator, relax_column_count: true });
  } catch {
    return undefined;
  }
}
