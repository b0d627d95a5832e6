// Reads the results of assignments from PostgreSQL, in portions whatever the number of people. [contract 21]
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';

/** The place of a person in the results. */
export type PersonPlace = [name: string, userId: string];

/** Somebody who has begun an assignment, with all attempts. */
export interface StoredPerson {
  userId: string;
  name: string;
  isGuest: boolean;
  attempts: StoredAttempt[];
}

export interface StoredAttempt {
  id: string;
  number: number;
  startedAt: Date;
  /** The time of the last answer, or null. */
  finishedAt: Date | null;
  answered: number;
  correct: number;
}

const ATTEMPT_FIELDS = {
  ...{ id: true, userId: true, number: true, startedAt: true, finishedAt: true },
  ...{ answered: true, correct: true },
} as const;

/** @returns the people who follow `after`, by name and then id */
export async function findPeople(
  db: Database,
  assignmentId: string,
  { limit, after }: { limit: number; after?: PersonPlace | undefined },
): Promise<StoredPerson[]> {
  const [name, userId] = after ?? [];
  const later = after ? Prisma.sql`AND (name, user_id) > (${name}, ${userId}::uuid)` : Prisma.empty;
  const people = await db.$queryRaw<Omit<StoredPerson, 'attempts'>[]>`
    SELECT user_id AS "userId", name, is_guest AS "isGuest" FROM assignment_person
     WHERE assignment_id = ${assignmentId}::uuid ${later}
     ORDER BY name, user_id LIMIT ${limit}`;
  const userIds = people.map((person) => person.userId);
  const attempts = await db.assignmentAttempt.findMany({
    where: { assignmentId, userId: { in: userIds } },
    orderBy: { number: 'asc' },
    select: ATTEMPT_FIELDS,
  });
  const byUser = Map.groupBy(attempts, (attempt) => attempt.userId);
  return people.map((person) => ({ ...person, attempts: byUser.get(person.userId) ?? [] }));
}

/** By the place of a question whether it was answered right. */
export type Marks = Record<number, boolean>;

/** @returns by attempt the marks of its answers, without their texts, which may be long */
export async function findMarks(db: Database, attemptIds: string[]): Promise<Map<string, Marks>> {
  const rows = await db.$queryRaw<{ id: string; marks: Marks }[]>`
    SELECT id, (SELECT jsonb_object_agg(question, "isCorrect")
                  FROM jsonb_to_recordset(answers) AS g (question int, "isCorrect" boolean)) AS marks
      FROM assignment_attempt WHERE id = ANY(${attemptIds}::uuid[]) AND answered > 0`;
  return new Map(rows.map(({ id, marks }) => [id, marks]));
}

/**
 * @returns a text that changes with everything that changes the counts of an assignment's answers: an answer, a removal,
 *   or a hand-over that makes one person of two. None of these numbers returns to what it was with the others, since the
 *   attempts of a removed person can only be replaced by later ones
 */
export async function findAnswerState(db: Database, assignmentId: string): Promise<string> {
  const [row] = await db.$queryRaw<[{ state: string }]>`
    SELECT concat_ws(' ', sum(answered), count(*), max(started_at),
                     (SELECT started_count FROM assignment WHERE id = ${assignmentId}::uuid)) AS state
      FROM assignment_attempt WHERE assignment_id = ${assignmentId}::uuid`;
  return row.state;
}

/** How a question was answered by all people. */
export interface AnswerCounts {
  /** The place of the question. */
  question: number;
  answered: number;
  right: number;
  /** The most frequent mistakes, of a chosen answer with the place of the option, of a typed one with one of the texts. */
  mistakes: { option: number | null; text: string | null; count: number }[];
}

/**
 * Counts answers, each person's to a question in the first attempt that has one. Attempts behind a complete one can't
 * have any. Mistakes are compared by hashes, and only the texts of those that are returned are read, so that this holds
 * little memory however long they are: some 0.3 s of PostgreSQL for 2,000 people and fifty questions.
 * @param most the number of mistakes of each question
 */
export function countAnswers(
  db: Database,
  assignmentId: string,
  most: number,
): Promise<AnswerCounts[]> {
  return db.$queryRaw<AnswerCounts[]>`
    WITH considered AS (
      SELECT t.id, user_id, number, answers FROM assignment_attempt t JOIN assignment a ON a.id = assignment_id
       WHERE assignment_id = ${assignmentId}::uuid
         AND (number = 1 OR NOT EXISTS (
           SELECT FROM assignment_attempt e
            WHERE e.assignment_id = t.assignment_id AND e.user_id = t.user_id AND e.number < t.number
              AND e.answered = question_count))),
    firsts AS (
      SELECT DISTINCT ON (user_id, question) question, "isCorrect", option, md5(form) AS hash,
             id::text || ' ' || place - 1 AS source
        FROM considered
       CROSS JOIN ROWS FROM (jsonb_to_recordset(answers) AS (question int, "isCorrect" boolean, option int, form text))
             WITH ORDINALITY AS g (question, "isCorrect", option, form, place)
       ORDER BY user_id, question, number),
    shares AS (
      SELECT question, count(*)::int AS answered, count(*) FILTER (WHERE "isCorrect")::int AS "right"
        FROM firsts GROUP BY 1),
    mistakes AS (
      SELECT question, option, count(*)::int AS count, min(source) AS source,
             row_number() OVER (PARTITION BY question ORDER BY count(*) DESC, option, min(source)) AS rank
        FROM firsts WHERE NOT "isCorrect" GROUP BY question, option, hash)
    SELECT question, answered, "right", coalesce((
             SELECT json_agg(json_build_object('option', option, 'count', count, 'text', (
                      SELECT answers -> split_part(source, ' ', 2)::int ->> 'text' FROM assignment_attempt
                       WHERE id = split_part(source, ' ', 1)::uuid)) ORDER BY rank)
               FROM mistakes m WHERE m.question = shares.question AND rank <= ${most}), '[]') AS mistakes
      FROM shares`;
}
