// `GET /api/v1/assignments/:code/results` shows the owner who has answered what: as JSON in pages, or as a table of all.
// [contract 21]
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { csvHeader, csvLines } from '../http/csv.ts';
import { createPageCursor } from '../http/page-cursor.ts';
import type { CodeSender } from '../lobby/code-misses.ts';
import { inPages } from '../platform/postgres/postgres.ts';
import { tidyText } from '../vocabulary/schema.ts';
import type { Attempts } from './attempts.ts';
import { type FindDeps, findOwnAssignment } from './find-assignment.ts';
import type { ReadQuestionResults } from './question-results.ts';
import type { AssignmentResults } from './results-schema.ts';
import { findMarks, findPeople, type Marks, type StoredAttempt, type StoredPerson } from './results-store.ts';
import type { StoredQuestion } from './rules.ts';
import type { FoundAssignment } from './store.ts';

/** The longest name, in code points. [contract 17] */
const NAME_LENGTH = 200;

const cursor = createPageCursor(z.tuple([tidyText(NAME_LENGTH), z.uuid()]), '`next` of a page');

/** Parses the cursor of a request: the name and id of the last person of the page before. */
export const After = cursor.schema;

export type ResultsDeps = FindDeps & { attempts: Attempts };

/** The number of people whose lines of the table are made at once, in some milliseconds for fifty questions. */
const LINES_AT_ONCE = 100;

/**
 * @param page.limit the number of people at most
 * @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED
 */
export async function readResults(
  deps: ResultsDeps & { readQuestionResults: ReadQuestionResults },
  code: string,
  sender: CodeSender,
  { limit, after }: { limit: number; after?: z.output<typeof After> | undefined },
): Promise<AssignmentResults> {
  const found = await findOwnAssignment(deps, code, sender);
  const { assignmentId } = found.view;
  const questions = await questionsOf(deps, assignmentId);
  const people = await findPeople(deps.db, assignmentId, { limit: limit + 1, after });
  const page = people.slice(0, limit);
  const last = page.at(-1);
  return {
    assignment: found.view,
    people: page.map((person) => toPerson(found, person)),
    questions: await deps.readQuestionResults(assignmentId, questions),
    next: people.length > limit && last ? cursor.toText([last.name, last.userId]) : null,
  };
}

async function questionsOf({ attempts }: ResultsDeps, assignmentId: string) {
  const questions = await attempts.questionsOf(assignmentId);
  if (!questions) throw new AppError('ASSIGNMENT_NOT_FOUND');
  return questions;
}

function toPerson(
  { view, state }: FoundAssignment,
  { attempts, ...person }: StoredPerson,
): AssignmentResults['people'][number] {
  const total = view.questionCount;
  const best = bestOf(attempts, state);
  return {
    ...person,
    attempts: attempts.map((attempt) => ({
      attempt: attempt.number,
      startedAt: attempt.startedAt.toISOString(),
      finishedAt: endOf(attempt, view.closesAt, state.isClosed),
      correct: attempt.correct,
      answered: attempt.answered,
      total,
    })),
    best: best ? { correct: best.correct, total } : null,
  };
}

/** @returns when the attempt was finished, by its last answer or by the closing; null while it is open */
function endOf({ finishedAt }: StoredAttempt, closesAt: string, isClosed: boolean): string | null {
  return finishedAt?.toISOString() ?? (isClosed ? closesAt : null);
}

/**
 * @returns the best of the finished attempts that the assignment allows, of equals the first one. Those beyond, which a
 *   guest's attempts may become, give nobody a better mark
 */
function bestOf(
  attempts: readonly StoredAttempt[],
  { isClosed, attempts: allowed }: FoundAssignment['state'],
): StoredAttempt | undefined {
  return attempts
    .filter(({ number, finishedAt }) => number <= allowed && (isClosed || finishedAt !== null))
    .toSorted((one, other) => other.correct - one.correct)[0];
}

/** @returns the parts of the table, with a line for each person. @throws as `readResults`, before the first part */
export async function* tableOf(deps: ResultsDeps, code: string, sender: CodeSender): AsyncGenerator<string> {
  const found = await findOwnAssignment(deps, code, sender);
  const { assignmentId } = found.view;
  const questions = await questionsOf(deps, assignmentId);
  yield csvHeader([
    'player',
    'userId',
    'attempts',
    'bestCorrect',
    'total',
    'finishedAt',
    ...questions.map(({ prompt }) => prompt),
  ]);
  const pages = inPages<StoredPerson>(LINES_AT_ONCE, (last) =>
    findPeople(deps.db, assignmentId, { limit: LINES_AT_ONCE, after: last && [last.name, last.userId] }),
  );
  for await (const people of pages) yield csvLines(await linesOf(deps, found, questions, people));
}

async function linesOf(
  { db }: ResultsDeps,
  { view, state }: FoundAssignment,
  questions: readonly StoredQuestion[],
  people: readonly StoredPerson[],
) {
  const bests = people.map(({ attempts }) => bestOf(attempts, state));
  const marks = await findMarks(
    db,
    bests.flatMap((best) => best?.id ?? []),
  );
  return people.map(({ name, userId, attempts }, at) => {
    const best = bests[at];
    const end = best && endOf(best, view.closesAt, state.isClosed);
    return [
      name,
      userId,
      attempts.length,
      best?.correct,
      view.questionCount,
      end,
      ...marksOf(questions, marks.get(best?.id ?? '') ?? {}),
    ];
  });
}

/** @returns by question 1 for a right answer, 0 for a wrong one, and nothing without an answer */
function marksOf(questions: readonly StoredQuestion[], marks: Marks) {
  return questions.map((_, place) => (place in marks ? Number(marks[place]) : undefined));
}
