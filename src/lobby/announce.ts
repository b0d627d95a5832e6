// After every change of a lobby in PostgreSQL: tell those who are connected. Reads the lobby afresh,
// so that of two racing changes the later announcement always holds both.
import type { Database } from '../platform/postgres.ts';
import { withTimeout } from '../platform/timeout.ts';
import {
  announceClosed,
  type LiveDeps,
  type LiveState,
  putRoster,
  readLiveState,
} from './event-log.ts';
import { updatePresence } from './presence.ts';
import { findById, type StoredLobby } from './store.ts';

/** How long the sockets of a lobby that Redis has forgotten wait for PostgreSQL. */
const RESTORE_TIMEOUT_MS = 1000;

/**
 * Brings what was announced in line with what is stored. Doing it twice changes nothing, so whoever
 * suspects that a crash came between a change and its announcement calls it again.
 * @param mode `always` tells those who are connected even when nothing has changed
 * @returns the lobby as it is stored, or null when it is gone (which is then announced)
 */
export async function announceLobby(
  deps: LiveDeps & { db: Database },
  lobbyId: string,
  mode: 'changed' | 'always' = 'changed',
): Promise<StoredLobby | null> {
  const stored = await findById(deps.db, lobbyId);
  if (stored) {
    await putRoster(deps, stored, mode);
    return stored;
  }
  const { roster, closed } = await readLiveState(deps.redis, lobbyId);
  if (roster && !closed) await announceClosed(deps, roster, 'expired');
  return null;
}

/**
 * The state of a lobby of which Redis has forgotten something: its players are announced anew, since
 * PostgreSQL has forgotten none, unless that takes too long. No number that was told before is told
 * again: a client would take the state for one that an event has overtaken. [contract 16]
 * @param toldSeq the last number that some client was told
 * @throws when nobody knows the lobby, PostgreSQL being away
 */
export async function restoreLiveState(
  deps: LiveDeps & { db: Database },
  lobbyId: string,
  toldSeq: number,
): Promise<LiveState> {
  const announced = withTimeout(announceLobby(deps, lobbyId), RESTORE_TIMEOUT_MS);
  const [{ reason }] = (await Promise.allSettled([announced])) as [{ reason?: unknown }];
  const state = await readLiveState(deps.redis, lobbyId);
  if (reason && !state.roster) throw reason;
  if (state.seq >= toldSeq || !state.roster || state.closed) return state;
  await updatePresence(deps, lobbyId, 'add', [], 'always');
  return readLiveState(deps.redis, lobbyId);
}
