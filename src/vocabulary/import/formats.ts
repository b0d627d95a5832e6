// The formats that a person's own terms come in: CSV or TSV with a header, or JSON Lines. Which one
// it is, the first line says. A term has no line breaks in it, so that in all three a line is a
// record, and a broken one spoils no other.
import { ImportError } from './import-error.ts';
import { OPTIONAL_FIELDS, TERM_FIELDS } from './term-record.ts';

/** What a line holds, or what is wrong with it. */
export type Line = { line: number; file?: string } & ({ fields: unknown } | { problem: string });

/**
 * @param lines as readLines gives them
 * @returns the records of a CSV, TSV or JSON Lines file, with the numbers of their lines
 * @throws ImportError when the first line is that of none of them
 */
export async function* readRecords(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  let parse: ((text: string) => { fields: unknown } | { problem: string }) | undefined;
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    if (parse) yield { line, ...parse(text) };
    else if (text.trimStart().startsWith('{')) {
      parse = parseJson;
      yield { line, ...parse(text) };
    } else {
      const table = readHeader(text, TERM_FIELDS);
      refuseMissing(table.columns, TERM_FIELDS);
      parse = table.parse;
    }
  }
  if (!parse) throw new ImportError('The file is empty.');
}

function parseJson(text: string): { fields: unknown } | { problem: string } {
  try {
    return { fields: JSON.parse(text) };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}

/** A table's columns, and how one of its rows is read. */
export interface Table {
  columns: string[];
  parse(row: string): { fields: Record<string, string> } | { problem: string };
}

/**
 * Reads the header of a table whose columns are separated by commas, tabs or semicolons and may be
 * quoted as in RFC 4180.
 * @param known what a column may be called
 * @throws ImportError when it isn't such a header
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
    parse(row) {
      const cells = splitRow(row, separator);
      if (!cells) return { problem: 'has a quote that is not closed, or text after a closing one' };
      if (cells.length > columns.length)
        return { problem: `has ${cells.length} fields, the first line ${columns.length}` };
      return { fields: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) };
    },
  };
}

/** What is no list of terms at all must not reach the terminal as it is. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\p{L}\p{N}\p{P} ]/gu, '?');
}

/** The file's fault, once, rather than every line's. */
function refuseMissing(columns: readonly string[], known: readonly string[]): void {
  const missing = known.filter(
    (name) => !columns.includes(name) && !OPTIONAL_FIELDS.includes(name),
  );
  if (missing.length > 0)
    throw new ImportError(`The first line lacks the column ${missing.join(' and ')}.`);
}

const QUOTED_ROWS: Record<string, RegExp> = Object.fromEntries(
  [',', ';', '\t'].map((separator) => [
    separator,
    // A quoted cell or one that doesn't begin with a quote, then a separator or the end.
    new RegExp(`(?:"((?:[^"]|"")*)"|((?!")[^${separator}]*))(${separator}|$)`, 'y'),
  ]),
);

/** @returns the row's cells, or undefined when its quotes are wrong */
function splitRow(row: string, separator: string): string[] | undefined {
  const cell = QUOTED_ROWS[separator];
  if (!cell || !row.includes('"')) return row.split(separator);
  const cells: string[] = [];
  cell.lastIndex = 0;
  for (;;) {
    const match = cell.exec(row);
    if (!match) return undefined;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return cells;
  }
}
