// A stored game as JSON, or as CSV for a spreadsheet with one line for each player and round. Both are texts that are
// sent while they are read, since a large one is megabytes. [contract 13]
import { csvHeader, csvLines } from '../platform/csv.ts';
import { arrayOf } from '../platform/json-parts.ts';
import type { FoundGame } from './finished-games.ts';
import type { Score, StoredRound } from './schema.ts';

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

export function answersLines(rounds: readonly StoredRound[], players: readonly Pick<Score, 'userId' | 'name'>[]) {
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

/** @returns the parts of a GameResult as JSON; the first one has rounds already */
export async function* jsonOf({ summary, rounds }: FoundGame): AsyncGenerator<string> {
  let opening = `${JSON.stringify(summary).slice(0, -1)},"rounds":`;
  for await (const part of arrayOf(rounds)) {
    yield opening + part;
    opening = '';
  }
  yield '}';
}

/** @returns the parts of a game's table of answers as CSV. [contract 13] */
export async function* csvOf({ summary, rounds }: FoundGame): AsyncGenerator<string> {
  let opening = answersHeader();
  for await (const portion of rounds) {
    yield opening + answersLines(portion, summary.scores);
    opening = '';
  }
  if (opening) yield opening;
}
