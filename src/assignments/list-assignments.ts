// Lists the assignments of their owner in pages, the newest first. [contract 21]
import type { z } from 'zod';
import { timeCursor } from '../http/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Assignments } from './schema.ts';
import { findOwned } from './store.ts';

/** Parses the cursor of a request: the time and id of the last assignment of the page before. */
export const Before = timeCursor.schema;

/** @param page.limit the number of assignments at most */
export async function listAssignments(
  db: Database,
  ownerId: string,
  { limit, before }: { limit: number; before?: z.output<typeof Before> | undefined },
): Promise<Assignments> {
  const found = await findOwned(db, ownerId, { limit: limit + 1, before });
  const assignments = found.slice(0, limit);
  const last = assignments.at(-1);
  const isMore = found.length > limit && last !== undefined;
  return { assignments, next: isMore ? timeCursor.toText([last.createdAt, last.assignmentId]) : null };
}
