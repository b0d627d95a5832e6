// Reads terms from CSV or TSV with a header, or from JSON Lines. The first line tells which format it is. A
// term has no line breaks, so that each line is a record, and a malformed line affects no other.
import Papa from 'papaparse';
import { ImportError } from './connect.ts';
import type { DeckDefaults } from './dictionary.ts';
import { OPTIONAL_FIELDS, type ReadRecord, TERM_FIELDS } from './term-record.ts';
import { isWiktextract, termsOfWiktextract } from './wiktextract.ts';

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
  const columns = splitRows([header], separator)[0]?.map((name) => name.trim()) ?? [];
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

/** @returns the cells of each row; undefined for a row whose quotes are malformed, which Papa Parse would tolerate */
function splitRows(rows: string[], separator: string): (string[] | undefined)[] {
  const cell = `(?:"(?:[^"]|"")*"|[^"${separator}]*)`;
  const wellFormed = new RegExp(`^${cell}(?:${separator}${cell})*$`);
  const isRead = rows.map((row) => !row.includes('"') || wellFormed.test(row));
  const readable = rows.filter((_, at) => isRead[at]).join('\n');
  const { data } = Papa.parse<string[]>(readable, { delimiter: separator, newline: '\n' });
  const read = data.values();
  return isRead.map((is) => (is ? read.next().value : undefined));
}

type ParsedLine = { fields: unknown } | { problem: string };

interface NumberedLine {
  line: number;
  text: string;
}

/** The lines that one call of Papa Parse parses, since creating a parser costs more than parsing a line. */
const BATCH_LINES = 500;

/**
 * @param defaults the deck's fields where a record leaves them out
 * @returns the records of a CSV, TSV or JSON Lines file; an entry of Wiktextract becomes several records
 * @throws ImportError when the first line belongs to none of these formats
 */
export async function* readRecords(
  lines: AsyncIterable<string>,
  defaults: DeckDefaults = {},
): AsyncGenerator<ReadRecord> {
  let parse: ((rows: NumberedLine[]) => Iterable<ReadRecord>) | undefined;
  let rows: NumberedLine[] = [];
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const isHeader = !parse && !text.trimStart().startsWith('{');
    parse ??= isHeader ? tableReader(text, defaults) : jsonReader(text, defaults);
    if (!isHeader) rows.push({ line, text });
    if (rows.length < BATCH_LINES) continue;
    yield* parse(rows);
    rows = [];
  }
  if (!parse) throw new ImportError('The file is empty.');
  yield* parse(rows);
}

function jsonReader(first: string, defaults: DeckDefaults) {
  const read = parseJson(first);
  const isDictionary = 'fields' in read && isWiktextract(read.fields);
  return function* (rows: NumberedLine[]): Generator<ReadRecord> {
    for (const { line, text } of rows) {
      const record = parseJson(text);
      if ('problem' in record) yield { line, ...record };
      else if (isDictionary) yield* termsOfWiktextract(line, record.fields, defaults);
      else yield { line, fields: filled(record.fields, defaults) };
    }
  };
}

function tableReader(header: string, defaults: DeckDefaults) {
  const table = readHeader(header, TERM_FIELDS);
  refuseMissing([...table.columns, ...Object.keys(defaults)]);
  return function* (rows: NumberedLine[]): Generator<ReadRecord> {
    const read = table.parse(rows.map(({ text }) => text));
    for (const [at, { line }] of rows.entries()) {
      const row = read[at] as ParsedLine;
      yield { line, ...('problem' in row ? row : { fields: filled(row.fields, defaults) }) };
    }
  };
}

/** @throws ImportError for a missing column, which would otherwise be reported for every line */
function refuseMissing(columns: readonly string[]): void {
  const missing = TERM_FIELDS.filter((name) => !columns.includes(name) && !OPTIONAL_FIELDS.includes(name));
  if (missing.length > 0) throw new ImportError(`The first line lacks the column ${missing.join(' and ')}.`);
}

/** @returns the fields, with the defaults where they are missing or empty */
function filled(fields: unknown, defaults: DeckDefaults): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  const record = fields as Record<string, unknown>;
  const missing = Object.entries(defaults).filter(([name]) => (record[name] ?? '') === '');
  return missing.length > 0 ? { ...record, ...Object.fromEntries(missing) } : record;
}

function parseJson(text: string): ParsedLine {
  try {
    return { fields: JSON.parse(text) };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}
