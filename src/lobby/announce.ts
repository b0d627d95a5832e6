// After every change of a lobby in PostgreSQL: tell those who are connected. Reads the lobby afresh,
// so that of two racing changes the later announcement always holds both.
import type { Database } from '../platform/postgres.ts';
import { announceClosed, type LiveDeps, putRoster, readLiveState } from './event-log.ts';
import type { Roster } from './schema.ts';
import { findById } from './store.ts';

/**
 * Brings what was announced in line with what is stored. Doing it twice changes nothing, so whoever
 * suspects that a crash came between a change and its announcement calls it again.
 * @returns the lobby as it is stored, or null when it is gone (which is then announced)
 */
export async function announceLobby(
  deps: LiveDeps & { db: Database },
  lobbyId: string,
): Promise<Roster | null> {
  const stored = await findById(deps.db, lobbyId);
  if (stored) {
    await putRoster(deps, stored);
    return stored.roster;
  }
  const { roster, closed } = await readLiveState(deps.redis, lobbyId);
  if (roster && !closed) await announceClosed(deps, roster, 'expired');
  return null;
}
