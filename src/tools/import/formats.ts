// Reads terms from CSV or TSV with a header, JSON Lines, or dictionaries. The first line tells which format it is. A
// term has no line breaks, so that each line is a record, and a malformed line affects no other.
import { ImportError } from './connect.ts';
import type { DeckDefaults, FoundSource } from './dictionary.ts';
import { teiReader } from './tei.ts';
import { OPTIONAL_FIELDS, type Reading, type SourceRecord, TERM_FIELDS } from './term-record.ts';
import { WIKTIONARY, wiktextractReader } from './wiktextract.ts';

/** Reads one line. @returns what it has, or nothing if its record goes on in the next line */
export type LineReader = (text: string) => Iterable<Reading>;

/**
 * @param defaults the deck's fields where a record leaves them out
 * @param found gets the name and licence of the source, where the file has them
 * @returns the records of a file; an entry of a dictionary becomes several records
 * @throws ImportError when the first line belongs to none of the formats
 */
export async function* readRecords(
  lines: AsyncIterable<string>,
  defaults: DeckDefaults,
  found: FoundSource,
): AsyncGenerator<SourceRecord> {
  let read: LineReader | undefined;
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    read ??= readerFor(text.trimStart(), defaults, found);
    for (const reading of read(text)) yield { line, ...reading };
  }
  if (!read) throw new ImportError('The file is empty.');
}

function readerFor(first: string, defaults: DeckDefaults, found: FoundSource): LineReader {
  if (first.startsWith('<')) return teiReader(defaults, found);
  if (!first.startsWith('{')) return tableReader(defaults);
  if (!/"(lang_code|redirect)"\s*:/.test(first))
    return jsonReader((fields) => [{ fields: withDefaults(fields, defaults) }]);
  Object.assign(found, WIKTIONARY);
  return jsonReader(wiktextractReader(defaults));
}

/** @param readingsOf what a line's JSON value has */
function jsonReader(readingsOf: (value: unknown) => Iterable<Reading>): LineReader {
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return [{ problem: 'is not valid JSON' }];
    }
    return readingsOf(value);
  };
}

function tableReader(defaults: DeckDefaults): LineReader {
  let table: CsvTable | undefined;
  return (text) => {
    if (table) {
      const row = table.parse(text);
      return ['fields' in row ? { fields: withDefaults(row.fields, defaults) } : row];
    }
    table = readHeader(text, TERM_FIELDS);
    // A missing column would otherwise be reported for every line.
    const known = [...table.columns, ...Object.keys(defaults), ...OPTIONAL_FIELDS];
    const missing = TERM_FIELDS.filter((name) => !known.includes(name));
    if (missing.length > 0) throw new ImportError(`The first line lacks the column ${missing.join(' and ')}.`);
    return [];
  };
}

/** @returns the fields, with the defaults where they are missing or empty */
function withDefaults(fields: unknown, defaults: DeckDefaults): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  const given = fields as Record<string, unknown>;
  const missing = Object.entries(defaults).filter(([name]) => (given[name] ?? '') === '');
  return { ...given, ...Object.fromEntries(missing) };
}

/** The columns of a table, and the parser of its rows. */
export interface CsvTable {
  columns: string[];
  /** @returns the fields of a row, or the reason why it can't be read */
  parse(row: string): { fields: Record<string, string> } | { problem: string };
}

/**
 * @param known the names that columns may have
 * @throws ImportError when `header` isn't the header of such a table
 */
export function readHeader(header: string, known: readonly string[]): CsvTable {
  const cellsOf = splitterBy(/[\t;,]/.exec(header)?.[0] ?? ',');
  const columns = cellsOf(header)?.map((name) => name.trim()) ?? [];
  const unknown = columns.find((name) => !known.includes(name));
  if (columns.length < 2 || unknown !== undefined)
    throw new ImportError(
      `The first line must name the columns, which are ${known.join(', ')}` +
        `${unknown === undefined ? '.' : `; it has "${printable(unknown)}".`}`,
    );
  if (new Set(columns).size < columns.length) throw new ImportError('The first line names a column twice.');
  return {
    columns,
    parse(row) {
      const cells = cellsOf(row);
      if (!cells) return { problem: 'has a quote that is not closed, or text after a closing one' };
      const { length } = columns;
      if (cells.length > length) return { problem: `has ${cells.length} fields, the first line ${length}` };
      return { fields: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) };
    },
  };
}

/** @returns the text for an error message, without control characters, since the file may be binary */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\p{L}\p{N}\p{P} ]/gu, '?');
}

/**
 * @returns a function that splits a row of RFC 4180 into its cells; it returns undefined if the quotes are malformed,
 *   which Papa Parse would tolerate
 */
function splitterBy(separator: string): (row: string) => string[] | undefined {
  const cellAndEnd = new RegExp(`("(?:[^"]|"")*"|[^"${separator}]*)(${separator}|$)`, 'gy');
  return (row) => {
    if (!row.includes('"')) return row.split(separator);
    const cells: string[] = [];
    for (const [, cell = '', end] of row.matchAll(cellAndEnd)) {
      cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
      if (end === '') return cells;
    }
    return undefined;
  };
}
