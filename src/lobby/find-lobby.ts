// A lobby for one of its members. [contract 4, 5.1]
import { AppError } from '../errors.ts';
import type { Database } from '../platform/postgres.ts';
import { lobbyNotFound } from './join-lobby.ts';
import { isMember, parseCode } from './rules.ts';
import { findByCode, type StoredLobby } from './store.ts';

/**
 * @param code as the user wrote it
 * @throws AppError LOBBY_NOT_FOUND, NOT_A_MEMBER
 */
export async function findLobbyOf(
  deps: { db: Database },
  code: string,
  userId: string,
): Promise<StoredLobby> {
  const parsed = parseCode(code);
  const stored = parsed && (await findByCode(deps.db, parsed));
  if (!stored) throw lobbyNotFound();
  if (!isMember(stored.roster, userId)) {
    throw new AppError('NOT_A_MEMBER', 'You are not a member of this lobby. Join it first.');
  }
  return stored;
}
