// Counts the records of an import by their outcome, for its summary.
import type { ReadRecord } from './source-record.ts';
import { type ImportedTerm, parseTerm } from './term-record.ts';

/** The number of malformed lines that the summary lists. Further ones are only counted. */
const BAD_LINES_SHOWN = 20;

/** A line that can't be imported. */
interface BadLine {
  line: number;
  file?: string;
  problem: string;
}

export interface ImportCounts {
  lines: number;
  bad: { count: number; first: BadLine[] };
  /** Records that aren't wanted, counted by the reason. */
  skipped: Record<string, number>;
}

export function newCounts(): ImportCounts {
  return { lines: 0, bad: { count: 0, first: [] }, skipped: {} };
}

/** @returns the term of a record; a record without a valid term is counted in `counts` instead */
export function parseOrCount(counts: ImportCounts, line: ReadRecord): ImportedTerm | undefined {
  if ('skipped' in line) {
    counts.skipped[line.skipped] = (counts.skipped[line.skipped] ?? 0) + 1;
    return undefined;
  }
  const term = 'problem' in line ? line.problem : parseTerm(line.fields);
  if (typeof term !== 'string') return term;
  counts.bad.count += 1;
  const file = line.file ? { file: line.file } : {};
  if (counts.bad.first.length < BAD_LINES_SHOWN) counts.bad.first.push({ line: line.line, ...file, problem: term });
  return undefined;
}
