// A game as a table for a teacher's spreadsheet: one line a player and round. [contract 13]
import type { GameResult, StoredRound } from './schema.ts';

const HEADER = [
  ...['round', 'prompt', 'gloss', 'correct', 'userId', 'player', 'answer', 'isCorrect', 'points'],
  ...['elapsedMs', 'reason'],
];

/** @returns the judged answers of a game as RFC 4180 has them, with a mark that spreadsheets know UTF-8 by */
export function toCsv({ rounds, scores }: GameResult): string {
  const names = new Map(scores.map(({ userId, name }) => [userId, name]));
  const lines = rounds.flatMap((round) => linesOf(round, names));
  return `\uFEFF${[HEADER, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;
}

type Cell = string | number | boolean | null | undefined;

function linesOf(round: StoredRound, names: ReadonlyMap<string, string>): Cell[][] {
  const textOf = (id: number | null) => round.options.find(({ optionId }) => optionId === id)?.text;
  const asked = [round.round, round.prompt, round.gloss, textOf(round.correctOptionId)];
  return round.answers.map(({ userId, selectedOptionId, isCorrect, points, elapsedMs }) => [
    ...[...asked, userId, names.get(userId), textOf(selectedOptionId)],
    ...[isCorrect, points, elapsedMs, round.reason],
  ]);
}

/** A spreadsheet would take some beginnings for a formula. */
function cell(value: Cell): string {
  const text = `${value ?? ''}`.replace(/^(?=[=+\-@\t\r\n])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
