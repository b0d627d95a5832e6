// `DELETE /api/v1/assignments/:code/people` removes people whom the owner doesn't know, or who shall begin anew.
// [contract 21]
import { retryAfterHandOver } from '../learning/learners.ts';
import type { CodeSender } from '../lobby/code-misses.ts';
import { type FindDeps, findOwnAssignment } from './find-assignment.ts';
import { learnAttempts } from './learn-attempts.ts';
import { deletePeople, isOneOf, readClock, type SomePeople } from './people-store.ts';

/**
 * Removes people with their attempts, after what they have answered is learned. Whoever begins again meanwhile stays. A
 * call that fails in between can be repeated.
 * @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED
 */
export async function removePeople(
  deps: FindDeps,
  code: string,
  sender: CodeSender,
  people: SomePeople,
): Promise<void> {
  const { view } = await findOwnAssignment(deps, code, sender);
  const { assignmentId } = view;
  const before = await readClock(deps.db);
  const isMeant = isOneOf(assignmentId, people);
  // An attempt has as many answers as questions at most, so that this ends however fast they arrive.
  while (!(await deletePeople(deps.db, assignmentId, people, before)))
    await retryAfterHandOver(() => learnAttempts(deps.db, isMeant));
}
