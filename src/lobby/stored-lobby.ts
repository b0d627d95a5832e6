// A lobby as PostgreSQL has it, players and all, from one statement: what is asked for, and how its row is
// read.
import { Prisma } from '../generated/prisma/client.ts';
import { type Roster, settingsOf } from './schema.ts';

/** A lobby with the version that the announcement of it carries. */
export interface StoredLobby {
  roster: Roster;
  version: number;
}

/** What `lobbyRows` selects. */
export interface Row {
  id: string;
  code: string;
  status: Roster['status'];
  hostId: string;
  capacity: number;
  settings: unknown;
  gameId: string | null;
  presenterId: string | null;
  version: number;
  locked: boolean;
  kickedIds: string[];
  createdAt: Date;
  /** In the order in which they joined. */
  players: { userId: string; name: string }[];
}

/** Those whose sockets may not know it yet; the row knows all who may not come back. */
const KICKS_TOLD = 20;

const PLAYERS = Prisma.sql`SELECT user_id, seat FROM lobby_player WHERE lobby_id = lobby.id`;

/**
 * @param players selects `user_id` and `seat` of the players, if others than those that the statement
 *   sees, which is blind for what it changes itself
 * @returns the beginning of a statement that selects `lobby`, up to its FROM
 */
export function lobbyRows(players: Prisma.Sql = PLAYERS): Prisma.Sql {
  return Prisma.sql`
    SELECT lobby.id, lobby.code, lobby.status::text, lobby.host_id AS "hostId", lobby.capacity,
           lobby.settings, lobby.game_id AS "gameId", lobby.presenter_id AS "presenterId",
           lobby.version, lobby.locked, lobby.kicked_ids AS "kickedIds",
           lobby.created_at AS "createdAt",
           (SELECT coalesce(json_agg(json_build_object('userId', u.id, 'name', u.name)
                                     ORDER BY seated.seat), '[]')
              FROM (${players}) seated JOIN "user" u ON u.id = seated.user_id) AS players`;
}

/**
 * For statements that change a lobby's row and read it: `before` is the row as the statement found it,
 * `changed` as it has made it, or nothing. Other changes may have come in between, while it waited for
 * the row; of those it sees the row alone, and not the players.
 */
export const AFTER = Prisma.sql`
  (SELECT * FROM changed UNION ALL SELECT * FROM before WHERE NOT EXISTS (SELECT 1 FROM changed))`;

/** Whether a row of `AFTER` holds all: each change makes the version grow by one. */
export const IS_WHOLE = Prisma.sql`
  coalesce((SELECT changed.version = before.version + 1 FROM changed, before), true)`;

export function toStored(row: Row): StoredLobby {
  const settings = settingsOf(row.settings);
  const presenterId =
    row.status === 'waiting' ? !settings.hostPlays && row.hostId : row.presenterId;
  return {
    version: row.version,
    roster: {
      lobbyId: row.id,
      code: row.code,
      status: row.status,
      hostId: row.hostId,
      capacity: row.capacity,
      settings,
      players: row.players.map(({ userId, name }) => ({
        userId,
        name,
        isHost: userId === row.hostId,
        plays: userId !== presenterId,
      })),
      locked: row.locked,
      gameId: row.gameId,
      createdAt: row.createdAt.toISOString(),
      ...(row.kickedIds.length > 0 && { kicked: row.kickedIds.slice(-KICKS_TOLD) }),
    },
  };
}

/** What becomes of a lobby that is to wait for another game. */
export const WAITS_ANEW = Prisma.sql`
  status = 'waiting', game_id = NULL, presenter_id = NULL, version = version + 1, active_at = now()`;
