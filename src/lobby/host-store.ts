// A host's deeds in PostgreSQL: each one statement that holds the lobby's row and makes its version
// grow, and that does nothing for who is not the host (any more). [contract 11]
import type { Database } from '../platform/postgres.ts';
import type { LobbySettings } from './schema.ts';
import { WAITS_ANEW } from './stored-lobby.ts';

/** Removes a player for good, whom this host does not want. @returns whether there was one */
export async function kickPlayer(
  db: Database,
  lobbyId: string,
  hostId: string,
  userId: string,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    WITH held AS MATERIALIZED (SELECT id FROM lobby
                                WHERE id = ${lobbyId}::uuid AND host_id = ${hostId}::uuid FOR UPDATE),
         gone AS (DELETE FROM lobby_player p USING held
                   WHERE p.lobby_id = held.id AND p.user_id = ${userId}::uuid
                   RETURNING p.lobby_id)
    UPDATE lobby SET player_count = player_count - 1, version = version + 1,
                     kicked_ids = kicked_ids || ${userId}::uuid
     WHERE id IN (SELECT lobby_id FROM gone)`;
  return changed === 1;
}

/** @returns whether this user is (still) the host, and the lobby is locked or open as it says */
export async function setLocked(
  db: Database,
  lobbyId: string,
  hostId: string,
  locked: boolean,
): Promise<boolean> {
  const { count } = await db.lobby.updateMany({
    where: { id: lobbyId, hostId },
    data: { locked, version: { increment: 1 } },
  });
  return count === 1;
}

/** Gives a waiting lobby other settings if nothing has changed since `version` was read. */
export async function setSettings(
  db: Database,
  lobbyId: string,
  version: number,
  change: { settings: LobbySettings; capacity: number },
): Promise<boolean> {
  const { count } = await db.lobby.updateMany({
    where: { id: lobbyId, status: 'waiting', version },
    data: { ...change, version: { increment: 1 } },
  });
  return count === 1;
}

/** Opens a finished lobby for another game. @returns whether this call did it */
export async function markWaitingAgain(
  db: Database,
  lobbyId: string,
  hostId: string,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE lobby SET ${WAITS_ANEW}
     WHERE id = ${lobbyId}::uuid AND host_id = ${hostId}::uuid AND status = 'finished'`;
  return changed === 1;
}
