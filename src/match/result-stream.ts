// A stored game as a text that is sent while it is read, since a large one is megabytes.
import { arrayOf } from '../http/json-parts.ts';
import type { FoundGame } from './find-game.ts';
import { answersHeader, answersLines } from './results-csv.ts';

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
