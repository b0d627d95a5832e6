// Tables with a header, whose cells are separated by commas, semicolons or tabs and quoted as in RFC 4180. No
// cell has a line break, so that an unclosed quote affects its own line alone.
import { parse as parseCsv } from 'csv-parse/sync';
import { ImportError } from './import-error.ts';

type ParsedRow = { fields: Record<string, string> } | { problem: string };

/** The columns of a table, and the parser of its rows. */
export interface CsvTable {
  columns: string[];
  /** @returns the fields of each row, or the reason why it can't be read */
  parse(rows: string[]): ParsedRow[];
}

/**
 * @param known the names that columns may have
 * @throws ImportError when `header` isn't the header of such a table
 */
export function readHeader(header: string, known: readonly string[]): CsvTable {
  const separator = /[\t;,]/.exec(header)?.[0] ?? ',';
  const columns = splitRow(header, separator)?.map((name) => name.trim()) ?? [];
  const unknown = columns.find((name) => !known.includes(name));
  if (columns.length < 2 || unknown !== undefined)
    throw new ImportError(
      `The first line must name the columns, which are ${known.join(', ')}` +
        `${unknown === undefined ? '.' : `; it has "${printable(unknown)}".`}`,
    );
  if (new Set(columns).size < columns.length) throw new ImportError('The first line names a column twice.');
  return { columns, parse: (rows) => splitRows(rows, separator).map((cells) => toFields(cells, columns)) };
}

function toFields(cells: string[] | undefined, columns: string[]): ParsedRow {
  if (!cells) return { problem: 'has a quote that is not closed, or text after a closing one' };
  if (cells.length > columns.length) return { problem: `has ${cells.length} fields, the first line ${columns.length}` };
  return { fields: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) };
}

/** @returns the text for an error message, without control characters, since the file may be binary */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\p{L}\p{N}\p{P} ]/gu, '?');
}

/** Parses all rows with one parser. If a malformed row changes their number, each row is parsed by itself. */
function splitRows(rows: string[], separator: string): (string[] | undefined)[] {
  if (rows.some((row) => row.includes('"'))) {
    const together = parsed(rows.join('\n'), separator);
    if (together?.length === rows.length) return together;
  }
  return rows.map((row) => splitRow(row, separator));
}

/** @returns the cells of the row; undefined when its quotes are malformed */
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
