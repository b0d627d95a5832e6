// Finds, lists, changes and deletes assignments, and removes people from them. Codes are guarded against guessing as
// those of lobbies are; whoever owns an assignment or has begun it has not guessed. [contract 13, 17, 21]
import { AppError } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { learnBatch } from '../learning/learner.ts';
import type { CodeSender, FindServices } from '../lobby/find-lobby.ts';
import { parseCode } from '../lobby/rules.ts';
import { type TimeCursor, timeCursor } from '../platform/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { takeAttempts } from './learn-attempts.ts';
import { CODE_LENGTH } from './rules.ts';
import * as schemas from './schema.ts';
import * as store from './store.ts';

/**
 * @param text the code as the user wrote it
 * @param isMeant whether the assignment is there for the user
 * @throws AppError ASSIGNMENT_NOT_FOUND; RATE_LIMITED instead of it, and instead of another's assignment, after too
 *   many misses
 */
export async function findAssignment(
  { db, codeMisses }: FindServices,
  text: string,
  sender: CodeSender,
  isMeant: (found: store.FoundAssignment) => boolean = () => true,
): Promise<store.FoundAssignment> {
  const code = parseCode(text, CODE_LENGTH);
  const found = code === null ? null : await store.findByCode(db, code, sender.userId);
  if (!found || !isMeant(found)) {
    await codeMisses.count(sender);
    throw new AppError('ASSIGNMENT_NOT_FOUND');
  }
  if (!found.isOwner && found.state.begun === 0) await codeMisses.check(sender);
  return found;
}

/** As `findAssignment`, for what its owner alone may do; to others it is not there. */
export const findOwnAssignment = (deps: FindServices, text: string, sender: CodeSender) =>
  findAssignment(deps, text, sender, ({ isOwner }) => isOwner);

export async function listAssignments(db: Database, ownerId: string, { limit, before }: store.Page<TimeCursor>) {
  const found = await store.findOwned(db, ownerId, { limit: limit + 1, before });
  const { items, next } = timeCursor.toPage(found, limit, ({ view }) => [view.createdAt, view.assignmentId]);
  return { assignments: items.map(({ view }) => view), next };
}

export async function listBegun(db: Database, userId: string, { limit, before }: store.Page<schemas.BegunCursor>) {
  const found = await store.findBegun(db, userId, { limit: limit + 1, before });
  const { items, next } = schemas.begunCursor.toPage(found, limit, ({ place }) => place);
  return { assignments: items.map(({ view }) => view), next };
}

/** @throws AppError as `findOwnAssignment`, and VALIDATION_FAILED for the times */
export async function changeAssignment(
  deps: FindServices,
  code: string,
  sender: CodeSender,
  change: schemas.ChangeAssignmentRequest,
): Promise<schemas.Assignment> {
  const { view } = await findOwnAssignment(deps, code, sender);
  await store.updateAssignment(deps.db, view.code, sender.userId, change);
  return (await findOwnAssignment(deps, code, sender)).view;
}

/**
 * The worker may not have learned the last answers yet. So the assignment is closed, its answers are learned, and only
 * then it is deleted. A call that fails in between leaves a closed assignment, and can be repeated.
 * @throws when PostgreSQL is away
 */
export async function deleteAssignment(db: Database, assignmentId: string): Promise<void> {
  await store.closeAssignment(db, assignmentId);
  const isMeant = Prisma.sql`assignment_id = ${assignmentId}::uuid`;
  while ((await learnBatch(db, takeAttempts(isMeant))).taken > 0);
  await db.assignment.deleteMany({ where: { id: assignmentId } });
}

/**
 * Removes people with their attempts, after what they have answered is learned. Whoever begins again meanwhile stays. A
 * call that fails in between can be repeated.
 */
export async function removePeople(deps: FindServices, code: string, sender: CodeSender, people: store.SomePeople) {
  const { assignmentId } = (await findOwnAssignment(deps, code, sender)).view;
  const before = await store.readClock(deps.db);
  const isMeant = store.isOneOf(assignmentId, people);
  // An attempt has as many answers as questions at most, so that this ends however fast they arrive.
  while (!(await store.deletePeople(deps.db, assignmentId, people, before)))
    await learnBatch(deps.db, takeAttempts(isMeant));
}
