// Leaving for good, in any status. [contract 5.2, 11]
import type { Database } from '../platform/postgres.ts';
import { announceLobby } from './announce.ts';
import { announceClosed, type LiveDeps } from './event-log.ts';
import { connectedUsers } from './presence.ts';
import { deleteWaiting, removePlayer } from './store.ts';

/** Between the two looks the lobby may have stopped waiting, or wait once more. */
const ATTEMPTS = 3;

/**
 * The host of a waiting lobby takes the lobby along; anybody else only gives up the place, and a host
 * the role. Those who stay are told.
 */
export async function leaveLobby(
  deps: LiveDeps & { db: Database },
  lobby: { lobbyId: string; code: string },
  userId: string,
): Promise<void> {
  const { lobbyId } = lobby;
  const connected = await connectedUsers(deps, lobbyId);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (await deleteWaiting(deps.db, lobbyId, userId)) {
      await announceClosed(deps, lobby, 'host_left', userId);
      return;
    }
    if (await removePlayer(deps.db, lobbyId, userId, connected)) {
      await announceLobby(deps, lobbyId);
      return;
    }
  }
}
