// A game's result as CSV for a spreadsheet: one line for each player and round. [contract 13]
import { csvHeader, csvLines } from '../http/csv.ts';
import type { Score, StoredRound } from './schema.ts';

/** @returns the line of the columns' names */
export function answersHeader(): string {
  return csvHeader([
    'round',
    'prompt',
    'gloss',
    'correct',
    'userId',
    'player',
    'answer',
    'isCorrect',
    'points',
    'elapsedMs',
    'reason',
  ]);
}

/** @returns the judged answers of rounds, one line each */
export function answersLines(
  rounds: readonly StoredRound[],
  players: readonly Pick<Score, 'userId' | 'name'>[],
): string {
  const names = new Map(players.map(({ userId, name }) => [userId, name]));
  return csvLines(rounds.flatMap((round) => linesOf(round, names)));
}

function linesOf(round: StoredRound, names: ReadonlyMap<string, string>) {
  const textOf = (id: number | null | undefined) => round.options?.find(({ optionId }) => optionId === id)?.text;
  const correct = round.correctText ?? textOf(round.correctOptionId);
  const asked = [round.round, round.prompt, round.gloss, correct];
  return round.answers.map(({ userId, selectedOptionId, text, isCorrect, points, elapsedMs }) => [
    ...asked,
    userId,
    names.get(userId),
    text ?? textOf(selectedOptionId),
    isCorrect,
    points,
    elapsedMs,
    round.reason,
  ]);
}
