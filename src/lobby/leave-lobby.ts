// Leaving for good, in any status. [contract 5.2]
import type { Database } from '../platform/postgres.ts';
import { announceLobby } from './announce.ts';
import { announceClosed, type LiveDeps } from './event-log.ts';
import { deleteWaiting, removePlayer } from './store.ts';

/**
 * The host of a waiting lobby takes the lobby along; anybody else only gives up the place. Those who
 * stay are told.
 */
export async function leaveLobby(
  deps: LiveDeps & { db: Database },
  lobby: { lobbyId: string; code: string },
  userId: string,
): Promise<void> {
  if (await deleteWaiting(deps.db, lobby.lobbyId, userId)) {
    await announceClosed(deps, lobby, 'host_left', userId);
    return;
  }
  if (await removePlayer(deps.db, lobby.lobbyId, userId)) {
    await announceLobby(deps, lobby.lobbyId);
  }
}
