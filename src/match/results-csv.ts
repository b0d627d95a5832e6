// A game's result as CSV for a spreadsheet: one line for each player and round. [contract 13]
import { stringify } from 'csv-stringify/sync';
import type { Score, StoredRound } from './schema.ts';

const HEADER = [
  ...['round', 'prompt', 'gloss', 'correct', 'userId', 'player', 'answer', 'isCorrect', 'points'],
  ...['elapsedMs', 'reason'],
];

/** csv-stringify quotes cells with CRLF only, but for some readers CR or LF alone ends a record too. */
const LINE_BREAK = /[\r\n]/;

const FORMAT = {
  record_delimiter: 'windows',
  quoted_match: LINE_BREAK,
  cast: { boolean: String, string: guardCell },
} as const;

/** @returns the line of the columns' names after the byte order mark that marks UTF-8 */
export function csvHeader(): string {
  return stringify([HEADER], { ...FORMAT, bom: true });
}

/** @returns the judged answers of rounds, one line each, as RFC 4180 describes */
export function csvLines(
  rounds: readonly StoredRound[],
  players: readonly Pick<Score, 'userId' | 'name'>[],
): string {
  const names = new Map(players.map(({ userId, name }) => [userId, name]));
  return stringify(
    rounds.flatMap((round) => linesOf(round, names)),
    FORMAT,
  );
}

type Cell = string | number | boolean | null | undefined;

function linesOf(round: StoredRound, names: ReadonlyMap<string, string>): Cell[][] {
  const textOf = (id: number | null | undefined) =>
    round.options?.find(({ optionId }) => optionId === id)?.text;
  const correct = round.correctText ?? textOf(round.correctOptionId);
  const asked = [round.round, round.prompt, round.gloss, correct];
  return round.answers.map(({ userId, selectedOptionId, text, isCorrect, points, elapsedMs }) => [
    ...[...asked, userId, names.get(userId), text ?? textOf(selectedOptionId)],
    ...[isCorrect, points, elapsedMs, round.reason],
  ]);
}

/**
 * Matches the positions at which a spreadsheet would begin a formula: the start of a cell, and the positions
 * after a semicolon or tab, since some spreadsheets split a line there instead of at commas. [contract 13]
 */
const BEFORE_FORMULA = /(?<=^|[;\t])(?=[=+\-@\t\r\n])/g;

function guardCell(text: string): string {
  return text.replace(BEFORE_FORMULA, "'");
}
