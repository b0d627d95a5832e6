// A lobby for one of its members. [contract 4, 5.1, 11, 17]
import { AppError } from '../errors.ts';
import type { Database } from '../platform/postgres.ts';
import type { CodeMissDeps } from './code-misses.ts';
import { parseCode } from './rules.ts';
import { findForMember, type StoredLobby, standingOf } from './store.ts';

type Deps = CodeMissDeps & { db: Database };

/**
 * @param code as the user wrote it
 * @throws AppError LOBBY_NOT_FOUND, NOT_A_MEMBER; RATE_LIMITED instead of them after too many
 */
export async function findLobbyOf(deps: Deps, code: string, userId: string): Promise<StoredLobby> {
  const parsed = parseCode(code);
  const stored = parsed && (await findForMember(deps.db, parsed, userId));
  return stored || refuseStranger(deps, parsed, userId);
}

/**
 * As `findLobbyOf`, for whoever wants to come in: a removed player is told so.
 * @throws AppError KICKED, and as `findLobbyOf`
 */
export async function findLobbyToEnter(
  deps: Deps,
  code: string,
  userId: string,
): Promise<StoredLobby> {
  const parsed = parseCode(code);
  const stored = parsed && (await findForMember(deps.db, parsed, userId));
  if (stored) return stored;
  if (parsed && (await standingOf(deps.db, parsed, userId)) === 'kicked') {
    await deps.codeMisses.look(userId);
    throw new AppError('KICKED');
  }
  return refuseStranger(deps, parsed, userId);
}

async function refuseStranger(
  { db, codeMisses }: Deps,
  code: string | null,
  userId: string,
): Promise<never> {
  // Before anything is found out, so that not even the time of a refusal tells whether there is one.
  await codeMisses.count(userId);
  if (!code || !(await standingOf(db, code, userId))) throw new AppError('LOBBY_NOT_FOUND');
  throw new AppError('NOT_A_MEMBER');
}
