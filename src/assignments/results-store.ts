// Reads the results of assignments from PostgreSQL, in portions whatever the number of people. [contract 21]
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { StoredAnswer } from './rules.ts';

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

/** @returns by attempt its answers */
export async function findAnswers(
  db: Database,
  attemptIds: string[],
): Promise<Map<string, StoredAnswer[]>> {
  const rows = await db.$queryRaw<{ id: string; answers: StoredAnswer[] }[]>`
    SELECT id, answers FROM assignment_attempt WHERE id = ANY(${attemptIds}::uuid[])`;
  return new Map(rows.map(({ id, answers }) => [id, answers]));
}

/**
 * @returns a text that changes with everything that changes the counts of an assignment's answers: an answer, or a
 *   hand-over that makes one person of two. None of the three numbers ever returns to what it was with the others
 */
export async function findAnswerState(db: Database, assignmentId: string): Promise<string> {
  const [row] = await db.$queryRaw<[{ state: string }]>`
    SELECT concat_ws(' ', sum(answered), count(*),
                     (SELECT count(*) FROM assignment_person WHERE assignment_id = ${assignmentId}::uuid)) AS state
      FROM assignment_attempt WHERE assignment_id = ${assignmentId}::uuid`;
  return row.state;
}

/** How often a question was answered in the same way, by some of the people. */
export interface AnswerCount {
  /** The place of the question. */
  question: number;
  isCorrect: boolean;
  /** Of a wrong choice the place of the option, of a wrong text its form and one of the texts. */
  option: number | null;
  form: string | null;
  text: string | null;
  count: number;
}

/** The answers of some people, and the last of these people. */
interface CountedAnswers {
  counts: AnswerCount[];
  lastUserId: string | null;
}

/**
 * Counts answers, each person's to a question in the first attempt that has one.
 * @param after the last person of the call before
 * @param people the number of people whose answers are counted
 */
export async function countAnswers(
  db: Database,
  assignmentId: string,
  after: string | null,
  people: number,
): Promise<CountedAnswers> {
  const later = after === null ? Prisma.empty : Prisma.sql`AND user_id > ${after}::uuid`;
  const [row] = await db.$queryRaw<[CountedAnswers]>`
    WITH people AS (
      SELECT user_id FROM assignment_person WHERE assignment_id = ${assignmentId}::uuid ${later}
       ORDER BY user_id LIMIT ${people}),
    firsts AS (
      SELECT DISTINCT ON (user_id, question) question, "isCorrect", option, form, text
        FROM people JOIN assignment_attempt t USING (user_id)
       CROSS JOIN LATERAL jsonb_to_recordset(answers)
             AS g (question int, "isCorrect" boolean, option int, form text, text text)
       WHERE t.assignment_id = ${assignmentId}::uuid
       ORDER BY user_id, question, number),
    counted AS (
      SELECT question, "isCorrect", CASE WHEN NOT "isCorrect" THEN option END AS option, form,
             CASE WHEN NOT "isCorrect" THEN min(text) END AS text, count(*)::int AS count
        FROM firsts GROUP BY 1, 2, 3, 4)
    SELECT (SELECT coalesce(json_agg(counted), '[]') FROM counted) AS counts,
           (SELECT user_id FROM people ORDER BY user_id DESC LIMIT 1) AS "lastUserId"`;
  return row;
}
