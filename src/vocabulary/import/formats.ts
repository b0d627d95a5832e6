// The formats that a person's own terms come in: CSV or TSV with a header, or JSON Lines. Which one
// it is, the first line says. A term has no line breaks in it, so that in all three a line is a
// record, and a broken one spoils no other.
import type { Given } from './dictionary.ts';
import { ImportError } from './import-error.ts';
import { readHeader } from './table.ts';
import { OPTIONAL_FIELDS, TERM_FIELDS } from './term-record.ts';
import { isWiktextract, termsOfWiktextract } from './wiktextract.ts';

/** What a line holds, or what is wrong with it. */
export type Line = { line: number; file?: string } & ({ fields: unknown } | { problem: string });

/** The same, or why it is none of ours. */
export type ReadLine = Line | { line: number; file?: string; skipped: string };

type Read = { fields: unknown } | { problem: string };

interface Row {
  line: number;
  text: string;
}

/** A parser costs more to make than a row to parse. */
const ROWS_AT_ONCE = 500;

/**
 * @param lines as readLines gives them
 * @param given fills what a record doesn't say
 * @returns the records of a CSV, TSV or JSON Lines file, with the numbers of their lines; those of
 * Wiktextract as terms
 * @throws ImportError when the first line is that of none of them
 */
export async function* readRecords(
  lines: AsyncIterable<string>,
  given: Given = {},
): AsyncGenerator<ReadLine> {
  let parse: ((rows: Row[]) => Iterable<ReadLine>) | undefined;
  let rows: Row[] = [];
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() === '') continue;
    const isHeader = !parse && !text.trimStart().startsWith('{');
    parse ??= isHeader ? tableReader(text, given) : jsonReader(text, given);
    if (!isHeader) rows.push({ line, text });
    if (rows.length < ROWS_AT_ONCE) continue;
    yield* parse(rows);
    rows = [];
  }
  if (!parse) throw new ImportError('The file is empty.');
  yield* parse(rows);
}

function jsonReader(first: string, given: Given) {
  const read = parseJson(first);
  const isDictionary = 'fields' in read && isWiktextract(read.fields);
  return function* (rows: Row[]): Generator<ReadLine> {
    for (const { line, text } of rows) {
      const record = parseJson(text);
      if ('problem' in record) yield { line, ...record };
      else if (isDictionary) yield* termsOfWiktextract(line, record.fields, given);
      else yield { line, fields: filled(record.fields, given) };
    }
  };
}

function tableReader(header: string, given: Given) {
  const table = readHeader(header, TERM_FIELDS);
  refuseMissing([...table.columns, ...Object.keys(given)]);
  return function* (rows: Row[]): Generator<ReadLine> {
    const read = table.parse(rows.map(({ text }) => text));
    for (const [at, { line }] of rows.entries()) {
      const row = read[at] as Read;
      yield { line, ...('problem' in row ? row : { fields: filled(row.fields, given) }) };
    }
  };
}

/** The file's fault, once, rather than every line's. */
function refuseMissing(columns: readonly string[]): void {
  const missing = TERM_FIELDS.filter(
    (name) => !columns.includes(name) && !OPTIONAL_FIELDS.includes(name),
  );
  if (missing.length > 0)
    throw new ImportError(`The first line lacks the column ${missing.join(' and ')}.`);
}

/** @returns the fields, and what is given where they say nothing */
function filled(fields: unknown, given: Given): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  const record = fields as Record<string, unknown>;
  const missing = Object.entries(given).filter(([name]) => (record[name] ?? '') === '');
  return missing.length > 0 ? { ...record, ...Object.fromEntries(missing) } : record;
}

function parseJson(text: string): Read {
  try {
    return { fields: JSON.parse(text) };
  } catch {
    return { problem: 'is not valid JSON' };
  }
}
