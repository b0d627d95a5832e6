// Deletes waiting and finished lobbies in which nobody was connected for LOBBY_IDLE_TTL_SECONDS. Results
// stay. [contract 4]
import type { CommonServices } from '../src/common-services.ts';
import { announceClosed, type LobbyServices, lastSeenMs } from '../src/lobby/event-log.ts';
import { deleteIdle, type IdleLobby, type IdleStatus, listIdle, noteActive } from '../src/lobby/lookup-store.ts';
import { connectedUsers } from '../src/lobby/presence.ts';
import { findById } from '../src/lobby/store.ts';
import { isUnreachable } from '../src/platform/outages/outage.ts';

/** How many idle lobbies are read at once. */
const BATCH = 200;

type IdleLobbyServices = LobbyServices & Pick<CommonServices, 'config' | 'db' | 'logger' | 'nowMs' | 'postgres'>;

/** @returns the pause between two sweeps, ms: a quarter of the time to live, between a second and a minute */
export function idleSweepMs({ config }: Pick<CommonServices, 'config'>): number {
  return Math.min(60_000, Math.max(1000, (config.lobbyIdleTtlSeconds * 1000) / 4));
}

/**
 * Checks the lobbies whose last activity in PostgreSQL is old against Redis, which knows the connected users.
 * @throws an outage's error if a store can't be reached; any other failure is logged and affects one lobby
 */
export async function removeIdleLobbies(deps: IdleLobbyServices): Promise<void> {
  const before = new Date(deps.nowMs() - deps.config.lobbyIdleTtlSeconds * 1000);
  for (const status of ['waiting', 'finished'] as const) {
    let lobbies: IdleLobby[] = [];
    do {
      // The list goes on behind a lobby that can't be removed.
      lobbies = await listIdle(deps.db, status, before, lobbies.at(-1), BATCH);
      for (const { id: lobbyId } of lobbies)
        await removeIfIdle(deps, lobbyId, status, before).catch((error: unknown) => {
          if (isUnreachable(error)) throw error;
          deps.logger.error({ err: error, lobbyId }, 'idle lobby not removed');
        });
    } while (lobbies.length === BATCH);
  }
}

/** Deletes the lobby, or stores its last activity, so that the next sweep skips it. */
async function removeIfIdle(deps: IdleLobbyServices, lobbyId: string, status: IdleStatus, before: Date): Promise<void> {
  const connected = await connectedUsers(deps, lobbyId);
  // While a user is connected, the lobby is active now, since the stored time is older.
  const activeMs = connected.size > 0 ? deps.nowMs() : await lastSeenMs(deps.redis, lobbyId);
  if (activeMs && activeMs >= before.getTime()) return noteActive(deps.db, lobbyId, new Date(activeMs));
  const stored = await findById(deps.postgres, lobbyId);
  if (!stored || !(await deleteIdle(deps.db, lobbyId, status, before))) return;
  await announceClosed(deps, stored.roster, 'expired');
  deps.logger.info({ lobbyId, status }, 'idle lobby removed');
}
