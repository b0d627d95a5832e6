// Finds an assignment by its code. Codes are guarded against guessing as those of lobbies are; whoever owns an
// assignment or has begun it has not guessed. [contract 17, 21]
import { AppError } from '../errors.ts';
import type { CodeMissDeps, CodeSender } from '../lobby/code-misses.ts';
import { parseCode } from '../lobby/rules.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { CODE_LENGTH } from './rules.ts';
import { type FoundAssignment, findByCode } from './store.ts';

export type FindDeps = CodeMissDeps & { db: Database };

/**
 * @param text the code as the user wrote it
 * @throws AppError ASSIGNMENT_NOT_FOUND; RATE_LIMITED instead of it, and instead of another's assignment, after too
 *   many misses
 */
export async function findAssignment(deps: FindDeps, text: string, sender: CodeSender): Promise<FoundAssignment> {
  const found = await lookUp(deps.db, text, sender.userId);
  if (!found) return refuseCode(deps, sender);
  if (!found.isOwner && found.state.begun === 0) await deps.codeMisses.check(sender);
  return found;
}

/** As `findAssignment`, for what its owner alone may do; to others it is not there. */
export async function findOwnAssignment(deps: FindDeps, text: string, sender: CodeSender): Promise<FoundAssignment> {
  const found = await lookUp(deps.db, text, sender.userId);
  return found?.isOwner ? found : refuseCode(deps, sender);
}

async function lookUp(db: Database, text: string, userId: string): Promise<FoundAssignment | null> {
  const code = parseCode(text, CODE_LENGTH);
  return code === null ? null : findByCode(db, code, userId);
}

async function refuseCode({ codeMisses }: FindDeps, sender: CodeSender): Promise<never> {
  await codeMisses.count(sender);
  throw new AppError('ASSIGNMENT_NOT_FOUND');
}
