// Ends a user's membership of a lobby, whatever its status. [contract 5.2, 11]
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { announceLobby } from './announce.ts';
import { announceClosed, type LiveDeps } from './event-log.ts';
import { connectedUsers } from './presence.ts';
import { deleteWaiting, removePlayer } from './store.ts';

/** Attempts to leave. Each runs two statements, between which the lobby's game may begin or end. */
const ATTEMPTS = 3;

/**
 * Removes the user. A waiting lobby is closed when its host leaves; otherwise a host's role passes to another
 * player. The change is announced.
 */
export async function leaveLobby(
  deps: LiveDeps & { db: Database },
  lobby: { lobbyId: string; code: string },
  userId: string,
): Promise<void> {
  const { lobbyId } = lobby;
  const connected = await connectedUsers(deps, lobbyId);
  const outcome = await retryOptimisticWrite(ATTEMPTS, async () => {
    if (await deleteWaiting(deps.db, lobbyId, userId)) return 'closed';
    return (await removePlayer(deps.db, lobbyId, userId, connected)) ? 'left' : undefined;
  });
  if (outcome === 'closed') await announceClosed(deps, lobby, 'host_left', userId);
  if (outcome === 'left') await announceLobby(deps, lobbyId, 'soon');
}
