// The SQL that selects a lobby with its players in one statement, and the parsing of its rows.
import { Prisma } from '../generated/prisma/client.ts';
import { ADDED_SETTINGS, type LobbySettings, type Roster } from './schema.ts';

/** A lobby and its version, which its announcement contains. */
export interface StoredLobby {
  roster: Roster;
  version: number;
}

export interface LobbyRow {
  id: string;
  code: string;
  status: Roster['status'];
  hostId: string;
  capacity: number;
  settings: LobbySettings;
  gameId: string | null;
  presenterId: string | null;
  version: number;
  locked: boolean;
  /** The users who were removed last. */
  kickedIds: string[];
  createdAt: Date;
  /** In the order in which they joined. */
  players: { userId: string; name: string }[];
}

/** How many removed users a roster names: the sockets of earlier ones have got `lobby:kicked` before. */
const KICKS_TOLD = 20;

const LAST_KICKED = Prisma.raw(`lobby.kicked_ids[cardinality(lobby.kicked_ids) - ${KICKS_TOLD - 1}:]`);

const PLAYERS = Prisma.sql`SELECT user_id, seat, name FROM lobby_player WHERE lobby_id = lobby.id`;

/**
 * @param players selects `user_id`, `seat` and `name` of the players, for a statement that changes them, since it
 *   doesn't see its own changes
 * @returns a SELECT of the table or subquery `lobby`, without its FROM
 */
export function selectLobby(players: Prisma.Sql = PLAYERS): Prisma.Sql {
  return Prisma.sql`
    SELECT lobby.id, lobby.code, lobby.status::text, lobby.host_id AS "hostId", lobby.capacity,
           lobby.settings, lobby.game_id AS "gameId", lobby.presenter_id AS "presenterId",
           lobby.version, lobby.locked, ${LAST_KICKED} AS "kickedIds",
           lobby.created_at AS "createdAt",
           (SELECT coalesce(json_agg(json_build_object('userId', u.id, 'name', coalesce(players.name, u.name))
                                     ORDER BY players.seat), '[]')
              FROM (${players}) players JOIN "user" u ON u.id = players.user_id) AS players`;
}

/**
 * The row after a statement that changes and reads a lobby: `before` is the row in the statement's snapshot,
 * `changed` the changed row, if any. While the statement waited for the row lock, other statements may have
 * changed the lobby; it sees their changes of the row, but not of the players.
 */
export const LOBBY_AFTER = Prisma.sql`
  (SELECT * FROM changed UNION ALL SELECT * FROM before WHERE NOT EXISTS (SELECT 1 FROM changed))`;

/** Whether no other statement has changed the lobby meanwhile: each change increments the version by one. */
export const IS_CONSISTENT = Prisma.sql`
  coalesce((SELECT changed.version = before.version + 1 FROM changed, before), true)`;

export function toStored(row: LobbyRow): StoredLobby {
  const settings = { ...ADDED_SETTINGS, ...row.settings };
  const presenterId = row.status === 'waiting' ? !settings.hostPlays && row.hostId : row.presenterId;
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
      ...(row.kickedIds.length > 0 && { kicked: row.kickedIds }),
    },
  };
}

/** The assignments that make a lobby wait for another game. */
export const SET_WAITING = Prisma.sql`
  status = 'waiting', game_id = NULL, presenter_id = NULL, version = version + 1, active_at = now()`;
