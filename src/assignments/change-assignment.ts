// `PATCH` and `DELETE /api/v1/assignments/:code` change and delete an assignment of the caller's. [contract 21]
import type { CodeSender } from '../lobby/code-misses.ts';
import { timeRefused } from './create-assignment.ts';
import { deleteAssignment } from './delete-assignment.ts';
import { type FindDeps, findOwnAssignment } from './find-assignment.ts';
import type { Assignment, ChangeAssignmentRequest } from './schema.ts';
import { updateAssignment } from './store.ts';

/** @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED, VALIDATION_FAILED for the times */
export async function changeAssignment(
  deps: FindDeps,
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
export async function removeAssignment(deps: FindDeps, code: string, sender: CodeSender): Promise<void> {
  const { view } = await findOwnAssignment(deps, code, sender);
  await deleteAssignment(deps.db, view.assignmentId);
}
