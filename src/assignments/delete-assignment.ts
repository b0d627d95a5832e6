// Deletes an assignment with all that was answered in it. [contract 13, 21]
import { Prisma } from '../generated/prisma/client.ts';
import { retryAfterHandOver } from '../learning/learners.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { learnAttempts } from './learn-attempts.ts';
import { closeAssignment } from './store.ts';

/**
 * The worker may not have learned the last answers yet. So the assignment is closed, its answers are learned, and only
 * then it is deleted. A call that fails in between leaves a closed assignment, and can be repeated.
 * @throws when PostgreSQL is away
 */
export async function deleteAssignment(db: Database, assignmentId: string): Promise<void> {
  await closeAssignment(db, assignmentId);
  const isMeant = Prisma.sql`assignment_id = ${assignmentId}::uuid`;
  while ((await retryAfterHandOver(() => learnAttempts(db, isMeant))).attempts > 0);
  await db.assignment.deleteMany({ where: { id: assignmentId } });
}
