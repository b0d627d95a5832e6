// What became of the lines of an import, for the summary.
import type { ReadLine } from './formats.ts';
import { type ImportedTerm, parseTerm } from './term-record.ts';

const BAD_LINES_SHOWN = 20;

/** A line that can't be imported. */
export interface BadLine {
  line: number;
  file?: string;
  problem: string;
}

export interface Tally {
  lines: number;
  bad: { count: number; first: BadLine[] };
  /** How many are none of ours, by the reason. */
  skipped: Record<string, number>;
}

export function createTally(): Tally {
  return { lines: 0, bad: { count: 0, first: [] }, skipped: {} };
}

/** @returns the term of a line; what holds none is noted in `tally` */
export function termOrNote(tally: Tally, line: ReadLine): ImportedTerm | undefined {
  if ('skipped' in line) {
    tally.skipped[line.skipped] = (tally.skipped[line.skipped] ?? 0) + 1;
    return undefined;
  }
  const term = 'problem' in line ? line.problem : parseTerm(line.fields);
  if (typeof term !== 'string') return term;
  tally.bad.count += 1;
  const file = line.file ? { file: line.file } : {};
  if (tally.bad.first.length < BAD_LINES_SHOWN)
    tally.bad.first.push({ line: line.line, ...file, problem: term });
  return undefined;
}
