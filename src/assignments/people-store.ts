// Counts and removes the people of an assignment in PostgreSQL. [contract 21]
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';

/** Which people of an assignment are meant: one, or all guests. */
export type SomePeople = { userId: string } | { isGuest: true };

/** @returns the condition that selects rows of these people, where `user_id` is a column */
export function isOneOf(assignmentId: string, people: SomePeople): Prisma.Sql {
  const id = Prisma.sql`${assignmentId}::uuid`;
  if ('userId' in people) return Prisma.sql`assignment_id = ${id} AND user_id = ${people.userId}::uuid`;
  return Prisma.sql`assignment_id = ${id} AND user_id IN (
    SELECT user_id FROM assignment_person WHERE assignment_id = ${id} AND is_guest)`;
}

/** Counts the people of assignments anew. @param tx a transaction that has locked them, so that none begins meanwhile */
export async function recountPeople(tx: Prisma.TransactionClient, assignmentIds: string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE assignment a SET started_count = started, guest_count = guests
      FROM unnest(${assignmentIds}::uuid[]) AS counted (id)
     CROSS JOIN LATERAL (
       SELECT count(*) AS started, count(*) FILTER (WHERE is_guest) AS guests
         FROM assignment_person WHERE assignment_id = counted.id) AS people
     WHERE a.id = counted.id`;
}

/** @returns PostgreSQL's time */
export async function readClock(db: Database): Promise<Date> {
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT now()`;
  return row.now;
}

/**
 * Deletes people with their attempts, apart from those who have answers that are not learned. The locks of the attempts
 * let an answer that arrives at the same moment be stored before, or be refused. That of the assignment excludes
 * workers, who lock attempts in another order, and starts.
 * @param before people who have begun later are kept
 * @returns whether all who had begun before are gone
 */
export async function deletePeople(
  db: Database,
  assignmentId: string,
  people: SomePeople,
  before: Date,
): Promise<boolean> {
  const isMeant = isOneOf(assignmentId, people);
  const hasBegun = Prisma.sql`min(started_at) <= ${before}::timestamptz`;
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM assignment WHERE id = ${assignmentId}::uuid FOR UPDATE`;
    await tx.$queryRaw`SELECT count(*) FROM (
      SELECT FROM assignment_attempt WHERE ${isMeant} FOR UPDATE) AS locked`;
    const [meant] = await tx.$queryRaw<[{ areGone: boolean }]>`
      WITH meant AS (
        SELECT user_id, count(unlearned_since) = 0 AS is_learned FROM assignment_attempt
         WHERE ${isMeant} GROUP BY user_id HAVING ${hasBegun}),
      attempts AS (
        DELETE FROM assignment_attempt t USING meant
         WHERE t.assignment_id = ${assignmentId}::uuid AND t.user_id = meant.user_id AND is_learned),
      people AS (
        DELETE FROM assignment_person p USING meant
         WHERE p.assignment_id = ${assignmentId}::uuid AND p.user_id = meant.user_id AND is_learned)
      SELECT coalesce(bool_and(is_learned), true) AS "areGone" FROM meant`;
    await recountPeople(tx, [assignmentId]);
    return meant.areGone;
  });
}
