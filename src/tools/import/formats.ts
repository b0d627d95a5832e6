// Reads terms from CSV or TSV with a header, or from JSON Lines. The first line tells which format it is. A
// term has no line breaks, so that each line is a record, and a malformed line affects no other.

import { readHeader } from './csv-table.ts';
import type { DeckDefaults } from './dictionary.ts';
import { ImportError } from './import-error.ts';
import type { ReadRecord } from './source-record.ts';
import { OPTIONAL_FIELDS, TERM_FIELDS } from './term-record.ts';
import { isWiktextract, termsOfWiktextract } from './wiktextract.ts';

type ParsedLine = { fields: unknown } | { problem: string };

interface NumberedLine {
  line: number;
  text: string;
}

/** The lines that one call of csv-parse parses, since creating a parser costs more than parsing a line. */
const BATCH_LINES = 500;

/**
 * @param lines the lines of a file
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
