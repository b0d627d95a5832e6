// The changes that a host makes, in PostgreSQL. Each is one statement that locks the lobby's row and
// increments its version. It has no effect if the user is no longer the host. [contract 11]
import type { Database } from '../platform/postgres/postgres.ts';
import type { LobbySettings } from './schema.ts';
import { SET_WAITING } from './stored-lobby.ts';

/** Removes a player, who can't join again. @returns whether the player was a member */
export async function kickPlayer(db: Database, lobbyId: string, hostId: string, userId: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    WITH locked_row AS MATERIALIZED (
      SELECT id FROM lobby WHERE id = ${lobbyId}::uuid AND host_id = ${hostId}::uuid FOR UPDATE),
    removed AS (
      DELETE FROM lobby_player p USING locked_row
       WHERE p.lobby_id = locked_row.id AND p.user_id = ${userId}::uuid RETURNING p.lobby_id)
    UPDATE lobby SET player_count = player_count - 1, version = version + 1,
                     kicked_ids = kicked_ids || ${userId}::uuid
     WHERE id IN (SELECT lobby_id FROM removed)`;
  return changed === 1;
}

/** Locks or unlocks the lobby. @returns whether this user is the host, and this call has made the change */
export async function setLocked(db: Database, lobbyId: string, hostId: string, locked: boolean): Promise<boolean> {
  const { count } = await db.lobby.updateMany({
    where: { id: lobbyId, hostId, locked: !locked },
    data: { locked, version: { increment: 1 } },
  });
  return count === 1;
}

/** Changes a waiting lobby if nothing else has changed since `version` was read. @returns whether it has */
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
export async function markWaitingAgain(db: Database, lobbyId: string, hostId: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE lobby SET ${SET_WAITING}
     WHERE id = ${lobbyId}::uuid AND host_id = ${hostId}::uuid AND status = 'finished'`;
  return changed === 1;
}
