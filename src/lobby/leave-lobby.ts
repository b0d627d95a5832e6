// Ends a user's membership of a lobby, whatever its status. [contract 5.2, 11]
import { AppError } from '../errors.ts';
import { retryOptimisticWrite } from '../platform/optimistic-write.ts';
import { announceClosed, announceLobby, type LobbyServices } from './event-log.ts';
import { connectedUsers } from './presence.ts';
import { isMember } from './rules.ts';
import { deleteWaiting, findById, removePlayers } from './store.ts';

/** Attempts to leave. Each runs two statements, between which the lobby's game may begin or end. */
const ATTEMPTS = 3;

/**
 * Removes users. A waiting lobby is closed when its host leaves; otherwise a host's role passes to another player.
 * The change is announced once, since a whole class may leave at the same time.
 * @returns the versions of the roster without each user; null where the lobby is closed, or the user was no member
 * @throws AppError UNAVAILABLE if the lobby was changing at each attempt, so that a user is still a member
 */
export async function leaveLobby(deps: LobbyServices, lobbyId: string, userIds: readonly string[]) {
  const connected = await connectedUsers(deps, lobbyId);
  const outcome = await retryOptimisticWrite(ATTEMPTS, async () => {
    const closed = await deleteWaiting(deps.postgres, lobbyId, userIds);
    if (closed) return { closed };
    const left = await removePlayers(deps.postgres, lobbyId, userIds, connected);
    return left ? { left } : undefined;
  });
  const stored = outcome ? null : await findById(deps.postgres, lobbyId);
  if (stored && userIds.some((userId) => isMember(stored.roster, userId))) throw new AppError('UNAVAILABLE');
  const { closed, left } = outcome ?? {};
  if (closed) await announceClosed(deps, { lobbyId, code: closed.code }, 'host_left', closed.hostId);
  if (left) await announceLobby(deps, lobbyId, 'soon');
  const removed = new Set(left?.removedIds);
  return userIds.map((userId) => (left && removed.has(userId) ? left.version : null));
}
