// Reads the results of assignments from PostgreSQL, in portions whatever the number of people. [contract 21]
import { Prisma } from '../generated/prisma/client.ts';
import { type Database, type Postgres, queryOn } from '../platform/postgres/postgres.ts';
import type { PersonCursor } from './schema.ts';

export type StoredPerson = Awaited<ReturnType<typeof findPeople>>[number];

/** @returns people with their attempts, but without the answers, which may be long */
export async function findPeople(
  db: Database,
  assignmentId: string,
  { limit, after }: { limit: number; after?: PersonCursor | undefined },
) {
  const [name, userId] = after ?? [];
  const later = after ? Prisma.sql`AND (name, user_id) > (${name}, ${userId}::uuid)` : Prisma.empty;
  const people = await db.$queryRaw<{ userId: string; name: string; isGuest: boolean }[]>`
    SELECT user_id AS "userId", name, is_guest AS "isGuest" FROM assignment_person
     WHERE assignment_id = ${assignmentId}::uuid ${later}
     ORDER BY name, user_id LIMIT ${limit}`;
  const attempts = await db.assignmentAttempt.findMany({
    where: { assignmentId, userId: { in: people.map((person) => person.userId) } },
    orderBy: { number: 'asc' },
    omit: { answers: true, secret: true },
  });
  const byUser = Map.groupBy(attempts, (attempt) => attempt.userId);
  return people.map((person) => ({ ...person, attempts: byUser.get(person.userId) ?? [] }));
}

/** @returns by attempt and the place of a question whether it was answered right */
export async function findMarks(db: Database, attemptIds: string[]) {
  const rows = await db.$queryRaw<{ id: string; marks: Record<number, boolean> }[]>`
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

/**
 * How often a question was answered in the same way: the place of the question, whether it is right, and of a mistake
 * what equal ones share (the place of the option, or a hash of the form), with the place where a typed one is stored.
 */
export type AnswerCount = [
  question: number,
  isCorrect: boolean,
  mistake: string | null,
  source: string | null,
  count: number,
];

/**
 * Counts answers, each person's to a question in the first attempt that has one. Attempts behind a complete one have no
 * first answers. The hashes are as short however long the texts are.
 * @param after the last person of the call before
 * @param people the number of people whose answers are counted
 * @returns the counts, and the last of these people
 */
export async function countAnswers(postgres: Postgres, assignmentId: string, after: string | null, people: number) {
  const [counted] = await queryOn(postgres)<{ counts: AnswerCount[]; lastUserId: string | null }>`
    WITH people AS (
      SELECT user_id FROM assignment_person
       WHERE assignment_id = ${assignmentId} AND (${after}::uuid IS NULL OR user_id > ${after}::uuid)
       ORDER BY user_id LIMIT ${people}),
    considered AS (
      SELECT t.id, user_id, number, answers
        FROM people JOIN assignment_attempt t USING (user_id) JOIN assignment a ON a.id = assignment_id
       WHERE assignment_id = ${assignmentId}
         AND (number = 1 OR NOT EXISTS (
           SELECT FROM assignment_attempt e
            WHERE e.assignment_id = t.assignment_id AND e.user_id = t.user_id AND e.number < t.number
              AND e.answered = question_count))),
    firsts AS (
      SELECT DISTINCT ON (user_id, question) question, "isCorrect",
             CASE WHEN NOT "isCorrect" THEN coalesce(option::text, left(md5(form), 16)) END AS mistake,
             CASE WHEN NOT "isCorrect" AND option IS NULL THEN id::text || ' ' || place - 1 END AS source
        FROM considered
       CROSS JOIN ROWS FROM (jsonb_to_recordset(answers) AS (question int, "isCorrect" boolean, option int, form text))
             WITH ORDINALITY AS g (question, "isCorrect", option, form, place)
       ORDER BY user_id, question, number),
    counted AS (
      SELECT json_build_array(question, "isCorrect", mistake, min(source), count(*)) AS count
        FROM firsts GROUP BY question, "isCorrect", mistake)
    SELECT (SELECT coalesce(json_agg(count), '[]') FROM counted) AS counts,
           (SELECT user_id FROM people ORDER BY user_id DESC LIMIT 1) AS "lastUserId"`;
  return counted ?? { counts: [], lastUserId: null };
}

/** @param sources where typed answers are stored, see `AnswerCount`. @returns their texts by source */
export async function findTexts(postgres: Postgres, sources: string[]): Promise<Map<string, string>> {
  const rows = await queryOn(postgres)<{ source: string; text: string }>`
    SELECT source, answers -> split_part(source, ' ', 2)::int ->> 'text' AS text
      FROM unnest(${sources}::text[]) AS s (source) JOIN assignment_attempt ON id = split_part(source, ' ', 1)::uuid`;
  return new Map(rows.map(({ source, text }) => [source, text]));
}
