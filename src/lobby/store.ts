// Lobbies in PostgreSQL: who belongs to one, and whether it waits, runs or is over. Every change is
// one statement that holds the lobby's row, and makes its version grow: the version tells which of
// two announcements is the newer one.
import type { LobbyPlayer, Lobby as LobbyRow } from '../generated/prisma/client.ts';
import { inBatches } from '../platform/batches.ts';
import type { Database } from '../platform/postgres.ts';
import { isMember } from './rules.ts';
import { type LobbySettings, type Roster, settingsOf } from './schema.ts';

/** A lobby with the version that the announcement of it carries. */
export interface StoredLobby {
  roster: Roster;
  version: number;
}

type Row = LobbyRow & {
  players: (LobbyPlayer & { user: { name: string } })[];
};

/** Those whose sockets may not know it yet; the row knows all who may not come back. */
const KICKS_TOLD = 20;

const WITH_PLAYERS = {
  players: { orderBy: { seat: 'asc' }, include: { user: { select: { name: true } } } },
} as const;

function toStored(row: Row): StoredLobby {
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
      players: row.players.map(({ userId, user }) => ({
        userId,
        name: user.name,
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

/** By a parsed code; null when there is none. What many ask for at once is read once. */
export const findByCode = inBatches(
  async (db: Database, codes: string[]): Promise<(StoredLobby | null)[]> => {
    const rows = await db.lobby.findMany({ where: { code: { in: codes } }, include: WITH_PLAYERS });
    const found = new Map(rows.map((row) => [row.code, toStored(row)]));
    return codes.map((code) => found.get(code) ?? null);
  },
  (code) => code,
);

/** @returns the lobby if the user is one of its members, so that nobody else's waiting tells of it */
export async function findForMember(
  db: Database,
  code: string,
  userId: string,
): Promise<StoredLobby | null> {
  if ((await standingOf(db, code, userId)) !== 'member') return null;
  const stored = await findByCode(db, code);
  return stored && isMember(stored.roster, userId) ? stored : null;
}

type Standing = 'member' | 'kicked' | 'stranger' | null;

/** @returns what the user is to the lobby with this code; null when there is none */
export function standingOf(db: Database, code: string, userId: string): Promise<Standing> {
  return findStanding(db, { code, userId });
}

const findStanding = inBatches(
  async (db: Database, asked: { code: string; userId: string }[]): Promise<Standing[]> => {
    const codes = asked.map(({ code }) => code);
    const userIds = asked.map(({ userId }) => userId);
    const rows = await db.$queryRaw<{ standing: Standing }[]>`
      SELECT CASE WHEN p.user_id IS NOT NULL THEN 'member'
                  WHEN asked.user_id = ANY(lobby.kicked_ids) THEN 'kicked'
                  WHEN lobby.id IS NOT NULL THEN 'stranger' END AS standing
        FROM unnest(${codes}::char(6)[], ${userIds}::uuid[])
             WITH ORDINALITY asked(code, user_id, nr)
        LEFT JOIN LATERAL (SELECT id, kicked_ids FROM lobby
                            WHERE code = asked.code LIMIT 1) lobby ON true
        LEFT JOIN LATERAL (SELECT user_id FROM lobby_player
                            WHERE lobby_id = lobby.id AND user_id = asked.user_id LIMIT 1) p ON true
       ORDER BY nr`;
    return rows.map(({ standing }) => standing);
  },
  ({ code, userId }) => `${code} ${userId}`,
);

export async function findById(db: Database, lobbyId: string): Promise<StoredLobby | null> {
  const row = await db.lobby.findUnique({ where: { id: lobbyId }, include: WITH_PLAYERS });
  return row && toStored(row);
}

/** Creates a lobby with its host as first player; throws Prisma's P2002 when the code is taken. */
export async function insertLobby(
  db: Database,
  code: string,
  hostId: string,
  { capacity, settings }: { capacity: number; settings: LobbySettings },
): Promise<StoredLobby> {
  const row = await db.lobby.create({
    data: {
      code,
      hostId,
      capacity,
      settings,
      playerCount: 1,
      players: { create: { userId: hostId } },
    },
    include: WITH_PLAYERS,
  });
  return toStored(row);
}

/**
 * Adds a player if the lobby may be joined and has a place, in one statement. The place is counted on the
 * lobby's own row, whose lock orders all joins; the same user joining twice at once violates the
 * player's key, which undoes the count with it.
 * @returns whether the player was added by this call
 */
export async function addPlayer(db: Database, code: string, userId: string): Promise<boolean> {
  const added = await db.$executeRaw`
    WITH place AS (
      UPDATE lobby SET player_count = player_count + 1, version = version + 1, active_at = now()
       WHERE code = ${code} AND NOT locked AND player_count < capacity
         AND (status = 'waiting'
              OR (status = 'running' AND settings @> '{"lateJoin": true}'))
         AND ${userId}::uuid <> ALL(kicked_ids)
         AND NOT EXISTS (SELECT 1 FROM lobby_player p
                          WHERE p.lobby_id = lobby.id AND p.user_id = ${userId}::uuid)
      RETURNING id)
    INSERT INTO lobby_player (lobby_id, user_id) SELECT id, ${userId}::uuid FROM place`;
  return added === 1;
}

/**
 * Removes a player, unless it is the host of a waiting lobby, which goes with its host. The role of
 * host passes on to the connected player who joined first, or else to the player who did. [contract 11]
 * @param connected who is connected
 * @returns whether something was changed
 */
export async function removePlayer(
  db: Database,
  lobbyId: string,
  userId: string,
  connected: Iterable<string>,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    WITH held AS MATERIALIZED (SELECT id, host_id FROM lobby
                                WHERE id = ${lobbyId}::uuid
                                  AND NOT (status = 'waiting' AND host_id = ${userId}::uuid)
                                  FOR UPDATE),
         gone AS (DELETE FROM lobby_player p USING held
                   WHERE p.lobby_id = held.id AND p.user_id = ${userId}::uuid
                   RETURNING p.lobby_id),
         heir AS (SELECT p.user_id FROM lobby_player p JOIN held ON held.id = p.lobby_id
                   WHERE held.host_id = ${userId}::uuid AND p.user_id <> ${userId}::uuid
                   ORDER BY p.user_id = ANY(${[...connected]}::uuid[]) DESC, p.seat LIMIT 1)
    UPDATE lobby SET player_count = player_count - (SELECT count(*) FROM gone),
                     version = version + 1,
                     host_id = coalesce((SELECT user_id FROM heir), host_id)
     WHERE id IN (SELECT id FROM held)
       AND (EXISTS (SELECT 1 FROM gone) OR EXISTS (SELECT 1 FROM heir))`;
  return changed === 1;
}

/** Deletes a waiting lobby of this host. @returns whether it was deleted by this call */
export async function deleteWaiting(
  db: Database,
  lobbyId: string,
  hostId: string,
): Promise<boolean> {
  const { count } = await db.lobby.deleteMany({
    where: { id: lobbyId, hostId, status: 'waiting' },
  });
  return count === 1;
}

/**
 * Turns a waiting lobby into a running one if nothing has changed since `version` was read: of any
 * number of concurrent starts one succeeds.
 * @returns whether this call did it
 */
export async function markRunning(
  db: Database,
  lobbyId: string,
  version: number,
  game: { gameId: string; presenterId?: string | undefined },
): Promise<boolean> {
  const { count } = await db.lobby.updateMany({
    where: { id: lobbyId, status: 'waiting', version },
    data: {
      ...{ status: 'running', gameId: game.gameId, presenterId: game.presenterId ?? null },
      ...{ version: { increment: 1 }, activeAt: new Date() },
    },
  });
  return count === 1;
}

/**
 * Gives a lobby whose game no store knows any more back to its players.
 * @param before a game that was started later may still be about to be opened
 */
export async function markWaiting(
  db: Database,
  lobbyId: string,
  gameId: string,
  before: Date,
): Promise<boolean> {
  const { count } = await db.lobby.updateMany({
    where: { id: lobbyId, status: 'running', gameId, activeAt: { lt: before } },
    data: {
      ...{ status: 'waiting', gameId: null, presenterId: null },
      ...{ version: { increment: 1 }, activeAt: new Date() },
    },
  });
  return count === 1;
}

/** @returns the versions of those of the lobbies that still exist. */
export async function findVersions(db: Database, lobbyIds: string[]): Promise<Map<string, number>> {
  const rows = await db.lobby.findMany({
    where: { id: { in: lobbyIds } },
    select: { id: true, version: true },
  });
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** A running game, and its place among them all: by the time of its start. */
export interface RunningGame {
  lobbyId: string;
  gameId: string;
  startedAt: Date;
}

/**
 * Games that should have a clock, a page of them.
 * @param after the last one of the page before
 * @param limit how many at most
 */
export async function listRunning(
  db: Database,
  after: Pick<RunningGame, 'lobbyId' | 'startedAt'> | null,
  limit: number,
): Promise<RunningGame[]> {
  const rows = await db.lobby.findMany({
    where: {
      ...{ status: 'running', gameId: { not: null } },
      // While a game runs nobody notes any later activity.
      ...(after && {
        activeAt: { gte: after.startedAt },
        NOT: { activeAt: after.startedAt, id: { lte: after.lobbyId } },
      }),
    },
    select: { id: true, gameId: true, activeAt: true },
    orderBy: [{ activeAt: 'asc' }, { id: 'asc' }],
    take: limit,
  });
  return rows.flatMap(({ id, gameId, activeAt }) =>
    gameId ? [{ lobbyId: id, gameId, startedAt: activeAt }] : [],
  );
}
