// Finds, lists, changes and deletes assignments, and removes people from them. Codes are guarded against guessing as
// those of lobbies are; whoever owns an assignment or has begun it has not guessed. [contract 13, 17, 21]

import { AppError } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { learnBatch } from '../learning/learner.ts';
import type { CodeSender } from '../lobby/code-misses.ts';
import type { FindServices } from '../lobby/find-lobby.ts';
import { parseCode } from '../lobby/rules.ts';
import { type TimeCursor, timeCursor } from '../platform/page-cursor.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { timeRefused } from './create-assignment.ts';
import { takeAttempts } from './learn-attempts.ts';
import { CODE_LENGTH } from './rules.ts';
import {
  type Assignment,
  type Assignments,
  type BegunCursor,
  begunCursor,
  type ChangeAssignmentRequest,
} from './schema.ts';
import {
  closeAssignment,
  deletePeople,
  type FoundAssignment,
  findBegun,
  findByCode,
  findOwned,
  isOneOf,
  readClock,
  type SomePeople,
  updateAssignment,
} from './store.ts';

/**
 * @param text the code as the user wrote it
 * @throws AppError ASSIGNMENT_NOT_FOUND; RATE_LIMITED instead of it, and instead of another's assignment, after too
 *   many misses
 */
export async function findAssignment(deps: FindServices, text: string, sender: CodeSender): Promise<FoundAssignment> {
  const found = await lookUp(deps.db, text, sender.userId);
  if (!found) return refuseCode(deps, sender);
  if (!found.isOwner && found.state.begun === 0) await deps.codeMisses.check(sender);
  return found;
}

/** As `findAssignment`, for what its owner alone may do; to others it is not there. */
export async function findOwnAssignment(
  deps: FindServices,
  text: string,
  sender: CodeSender,
): Promise<FoundAssignment> {
  const found = await lookUp(deps.db, text, sender.userId);
  return found?.isOwner ? found : refuseCode(deps, sender);
}

async function lookUp(db: Database, text: string, userId: string): Promise<FoundAssignment | null> {
  const code = parseCode(text, CODE_LENGTH);
  return code === null ? null : findByCode(db, code, userId);
}

async function refuseCode({ codeMisses }: Pick<Services, 'codeMisses'>, sender: CodeSender): Promise<never> {
  await codeMisses.count(sender);
  throw new AppError('ASSIGNMENT_NOT_FOUND');
}

/** @param page.before the time and id of the last assignment of the page before */
export async function listAssignments(
  db: Database,
  ownerId: string,
  { limit, before }: { limit: number; before?: TimeCursor | undefined },
): Promise<Assignments> {
  const found = await findOwned(db, ownerId, { limit: limit + 1, before });
  const assignments = found.slice(0, limit);
  const last = assignments.at(-1);
  const isMore = found.length > limit && last !== undefined;
  return { assignments, next: isMore ? timeCursor.toText([last.createdAt, last.assignmentId]) : null };
}

/** @param page.before the place of the last assignment of the page before */
export async function listBegunAssignments(
  db: Database,
  userId: string,
  { limit, before }: { limit: number; before?: BegunCursor | undefined },
): Promise<Assignments> {
  const found = await findBegun(db, userId, { limit: limit + 1, before });
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    assignments: found.slice(0, limit).map(({ view }) => view),
    next: last ? begunCursor.toText(last.place) : null,
  };
}

/** @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED, VALIDATION_FAILED for the times */
export async function changeAssignment(
  deps: FindServices,
  code: string,
  sender: CodeSender,
  change: ChangeAssignmentRequest,
): Promise<Assignment> {
  const { view } = await findOwnAssignment(deps, code, sender);
  const outcome = await updateAssignment(deps.db, view.code, sender.userId, change);
  if (outcome && outcome !== 'changed') throw timeRefused(outcome);
  const changed = await findOwnAssignment(deps, code, sender);
  return changed.view;
}

/** @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED */
export async function removeAssignment(deps: FindServices, code: string, sender: CodeSender): Promise<void> {
  const { view } = await findOwnAssignment(deps, code, sender);
  await deleteAssignment(deps.db, view.assignmentId);
}

/**
 * The worker may not have learned the last answers yet. So the assignment is closed, its answers are learned, and only
 * then it is deleted. A call that fails in between leaves a closed assignment, and can be repeated.
 * @throws when PostgreSQL is away
 */
export async function deleteAssignment(db: Database, assignmentId: string): Promise<void> {
  await closeAssignment(db, assignmentId);
  const isMeant = Prisma.sql`assignment_id = ${assignmentId}::uuid`;
  while ((await learnBatch(db, takeAttempts(isMeant))).taken > 0);
  await db.assignment.deleteMany({ where: { id: assignmentId } });
}

/**
 * Removes people with their attempts, after what they have answered is learned. Whoever begins again meanwhile stays. A
 * call that fails in between can be repeated.
 * @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED
 */
export async function removePeople(
  deps: FindServices,
  code: string,
  sender: CodeSender,
  people: SomePeople,
): Promise<void> {
  const { view } = await findOwnAssignment(deps, code, sender);
  const { assignmentId } = view;
  const before = await readClock(deps.db);
  const isMeant = isOneOf(assignmentId, people);
  // An attempt has as many answers as questions at most, so that this ends however fast they arrive.
  while (!(await deletePeople(deps.db, assignmentId, people, before))) await learnBatch(deps.db, takeAttempts(isMeant));
}
