// Announces a lobby after a change in PostgreSQL to its connected sockets. Each announcement reads the lobby
// again, so that the later one of two concurrent changes includes both.
import { withTimeout } from '../platform/outages/outage.ts';
import { announceClosed, type LiveState, type LobbyServices, putRoster, readLiveState } from './event-log.ts';
import { updatePresence } from './presence.ts';
import { findById, type StoredLobby } from './store.ts';

/** How long PostgreSQL may take to restore a lobby, ms. */
const RESTORE_TIMEOUT_MS = 1000;

/**
 * Announces the stored state of a lobby. The call is idempotent, so that it can be repeated after a crash between a
 * change and its announcement.
 * @returns the stored lobby; null when it was deleted, which is then announced
 */
export async function announceLobby(
  deps: LobbyServices,
  lobbyId: string,
  mode: 'changed' | 'soon' = 'changed',
): Promise<StoredLobby | null> {
  const stored = await findById(deps.postgres, lobbyId);
  if (stored) {
    await putRoster(deps, stored, mode);
    return stored;
  }
  // The process that has deleted the lobby may have died before it announced the end. A lobby expires only after nobody was
  // connected for long, so that one with connected users was closed by its host.
  const { roster, closed, connected } = await readLiveState(deps.redis, lobbyId);
  if (roster && !closed && connected.length > 0) await announceClosed(deps, roster, 'host_left', roster.hostId);
  else if (roster && !closed) await announceClosed(deps, roster, 'expired');
  return null;
}

/**
 * Restores a lobby of which Redis has lost something: its roster is announced again from PostgreSQL, unless
 * that takes too long. The number of its last event exceeds all numbers sent before, since a client would
 * take an older number for an overtaken state. [contract 16]
 * @param sentSeq the greatest number that was sent to a client
 * @throws where PostgreSQL is away and Redis has no roster of the lobby
 */
export async function restoreLiveState(deps: LobbyServices, lobbyId: string, sentSeq: number): Promise<LiveState> {
  const announced = withTimeout(announceLobby(deps, lobbyId), RESTORE_TIMEOUT_MS);
  const [{ reason }] = (await Promise.allSettled([announced])) as [{ reason?: unknown }];
  const state = await readLiveState(deps.redis, lobbyId);
  if (reason && !state.roster) throw reason;
  if (state.seq >= sentSeq || !state.roster || state.closed) return state;
  await updatePresence(deps, lobbyId, 'add', [], 'always');
  return readLiveState(deps.redis, lobbyId);
}
