// Who is being deleted, or was within a day, in PostgreSQL. [contract 17]
import type { Database } from '../platform/postgres.ts';

/** What stored results call those who are no more. */
export const DELETED_NAME = 'Deleted player';

/** @returns those of the users that are being deleted, or were a short while ago */
export async function findDeleted(db: Database, userIds: string[]): Promise<Set<string>> {
  const rows = await db.userDeletion.findMany({
    where: { userId: { in: userIds } },
    select: { userId: true },
  });
  return new Set(rows.map(({ userId }) => userId));
}
