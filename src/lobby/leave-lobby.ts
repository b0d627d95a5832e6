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
 * @returns the version of the roster without the user; null where the lobby is closed, or the user was no member
 */
export async function leaveLobby(
  deps: LiveDeps & { db: Database },
  lobbyId: string,
  userId: string,
): Promise<number | null> {
  const connected = await connectedUsers(deps, lobbyId);
  const left = await retryOptimisticWrite(ATTEMPTS, async () => {
    const code = await deleteWaiting(deps.db, lobbyId, userId);
    if (code !== null) return { code };
    const version = await removePlayer(deps.db, lobbyId, userId, connected);
    return version === null ? undefined : { version };
  });
  if (left && 'code' in left) {
    await announceClosed(deps, { lobbyId, code: left.code }, 'host_left', userId);
    return null;
  }
  if (!left) return null;
  await announceLobby(deps, lobbyId, 'soon');
  return left.version;
}
