// A stored game as JSON, or as CSV for a spreadsheet with one line for each player and round. Both are texts that are
// sent while they are read, since a large one is megabytes. [contract 13]
import { csvHeader, csvLines } from '../platform/csv.ts';
import { arrayOf } from '../platform/json-parts.ts';
import type { FoundGame } from './finished-games.ts';
import type { Score, StoredRound } from './schema.ts';

interface Line {
  round: StoredRound;
  answer: StoredRound['answers'][number];
  player: string | undefined;
}

const COLUMNS: Record<string, (line: Line) => string | number | boolean | null | undefined> = {
  round: ({ round }) => round.round,
  prompt: ({ round }) => round.prompt,
  gloss: ({ round }) => round.gloss,
  correct: ({ round }) => round.correctText ?? optionOf(round, round.correctOptionId),
  userId: ({ answer }) => answer.userId,
  player: ({ player }) => player,
  answer: ({ round, answer }) => answer.text ?? optionOf(round, answer.selectedOptionId),
  isCorrect: ({ answer }) => answer.isCorrect,
  points: ({ answer }) => answer.points,
  elapsedMs: ({ answer }) => answer.elapsedMs,
  reason: ({ round }) => round.reason,
};

function optionOf({ options }: StoredRound, id: number | null | undefined): string | undefined {
  return options?.find(({ optionId }) => optionId === id)?.text;
}

export const answersHeader = () => csvHeader(Object.keys(COLUMNS));

export function answersLines(rounds: readonly StoredRound[], players: readonly Pick<Score, 'userId' | 'name'>[]) {
  const names = new Map(players.map(({ userId, name }) => [userId, name]));
  const lines = rounds.flatMap((round) =>
    round.answers.map((answer) => ({ round, answer, player: names.get(answer.userId) })),
  );
  return csvLines(lines.map((line) => Object.values(COLUMNS).map((cellOf) => cellOf(line))));
}

/** The first part has rounds already, so that a failure to read them is answered by an error. */
export async function* jsonOf({ summary, rounds }: FoundGame): AsyncGenerator<string> {
  let opening = `${JSON.stringify(summary).slice(0, -1)},"rounds":`;
  for await (const part of arrayOf(rounds)) {
    yield opening + part;
    opening = '';
  }
  yield '}';
}

export async function* csvOf({ summary, rounds }: FoundGame): AsyncGenerator<string> {
  let opening = answersHeader();
  for await (const portion of rounds) {
    yield opening + answersLines(portion, summary.scores);
    opening = '';
  }
  if (opening) yield opening;
}
