// Lobbies in PostgreSQL: who belongs to one, and whether it waits, runs or is over. Every change is
// one statement that holds the lobby's row, and makes its version grow: the version tells which of
// two announcements is the newer one.
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from '../platform/batches.ts';
import type { Database } from '../platform/postgres.ts';
import { newGatheredId } from '../platform/slots.ts';
import { isMember } from './rules.ts';
import type { LobbySettings } from './schema.ts';
import {
  AFTER,
  IS_WHOLE,
  lobbyRows,
  type Row,
  type StoredLobby,
  toStored,
  WAITS_ANEW,
} from './stored-lobby.ts';

export type { StoredLobby } from './stored-lobby.ts';

/**
 * By a parsed code; null when there is none. What many ask for at once is read once. The planner does not
 * see how many: it would plan anew for each, which costs PostgreSQL seven times what reading does.
 */
export const findByCode = inBatches(
  async (db: Database, codes: string[]): Promise<(StoredLobby | null)[]> => {
    const rows = await db.$queryRaw<Row[]>`
      ${lobbyRows()} FROM lobby WHERE code = ANY((SELECT ${codes}::char(6)[])::char(6)[])`;
    const found = new Map(rows.map((row) => [row.code, toStored(row)]));
    return codes.map((code) => found.get(code) ?? null);
  },
  (code) => code,
);

/** Whoever asks for a lobby, by a parsed code. */
interface Asking {
  code: string;
  userId: string;
}

/**
 * @returns the lobby if the user is one of its members; else nothing of it is read, so that nobody's
 * waiting tells of it
 */
export function findForMember(
  db: Database,
  code: string,
  userId: string,
): Promise<StoredLobby | null> {
  return findMembers(db, { code, userId });
}

const findMembers = inBatches(
  async (db: Database, asking: Asking[]): Promise<(StoredLobby | null)[]> => {
    const rows = await db.$queryRaw<Row[]>`
      ${lobbyRows()} FROM lobby
       WHERE id IN (SELECT p.lobby_id FROM ${asked(asking)}
                      JOIN lobby asked_for ON asked_for.code = asked.code
                      JOIN lobby_player p ON p.lobby_id = asked_for.id AND p.user_id = asked.user_id)`;
    const found = new Map(rows.map((row) => [row.code, toStored(row)]));
    return asking.map(({ code, userId }) => {
      const stored = found.get(code);
      return stored && isMember(stored.roster, userId) ? stored : null;
    });
  },
  idOfAsking,
);

/** Nor does the planner see how many these are. */
function asked(asking: Asking[]): Prisma.Sql {
  const codes = asking.map(({ code }) => code);
  const userIds = asking.map(({ userId }) => userId);
  return Prisma.sql`unnest((SELECT ${codes}::char(6)[]), ${userIds}::uuid[])
                    WITH ORDINALITY asked(code, user_id, nr)`;
}

function idOfAsking({ code, userId }: Asking): string {
  return `${code} ${userId}`;
}

type Standing = 'member' | 'kicked' | 'stranger' | null;

/** @returns what the user is to the lobby with this code; null when there is none */
export function standingOf(db: Database, code: string, userId: string): Promise<Standing> {
  return findStanding(db, { code, userId });
}

const findStanding = inBatches(async (db: Database, asking: Asking[]): Promise<Standing[]> => {
  const rows = await db.$queryRaw<{ standing: Standing }[]>`
      SELECT CASE WHEN p.user_id IS NOT NULL THEN 'member'
                  WHEN asked.user_id = ANY(lobby.kicked_ids) THEN 'kicked'
                  WHEN lobby.id IS NOT NULL THEN 'stranger' END AS standing
        FROM ${asked(asking)}
        LEFT JOIN LATERAL (SELECT id, kicked_ids FROM lobby
                            WHERE code = asked.code LIMIT 1) lobby ON true
        LEFT JOIN LATERAL (SELECT user_id FROM lobby_player
                            WHERE lobby_id = lobby.id AND user_id = asked.user_id LIMIT 1) p ON true
       ORDER BY nr`;
  return rows.map(({ standing }) => standing);
}, idOfAsking);

export async function findById(db: Database, lobbyId: string): Promise<StoredLobby | null> {
  const [row] = await db.$queryRaw<Row[]>`${lobbyRows()} FROM lobby WHERE id = ${lobbyId}::uuid`;
  return row ? toStored(row) : null;
}

/** Creates a lobby with its host as first player; a taken code is a unique violation. */
export async function insertLobby(
  db: Database,
  code: string,
  hostId: string,
  { capacity, settings }: { capacity: number; settings: LobbySettings },
): Promise<StoredLobby> {
  const [row] = await db.$queryRaw<Row[]>`
    WITH made AS (
      INSERT INTO lobby (id, code, host_id, capacity, settings, player_count)
      VALUES (${newGatheredId()}::uuid, ${code}, ${hostId}::uuid, ${capacity}, ${JSON.stringify(settings)}::jsonb, 1)
      RETURNING *),
    seated AS (INSERT INTO lobby_player (lobby_id, user_id) SELECT id, host_id FROM made
               RETURNING user_id, seat)
    ${lobbyRows(Prisma.sql`SELECT user_id, seat FROM seated`)} FROM made lobby`;
  return toStored(row as Row);
}

/** What became of a join. */
export interface JoinReply {
  /** As it is now. */
  stored: StoredLobby;
  /** Whether the player was added by this call. */
  added: boolean;
  isKicked: boolean;
}

/**
 * Adds a player if the lobby may be joined and has a place, and reads it, in one statement. The place is
 * counted on the lobby's own row, whose lock orders all joins; the same user joining twice at once
 * violates the player's key, which undoes the count with it.
 * @returns null when there is no such lobby
 */
export async function addPlayer(
  db: Database,
  code: string,
  userId: string,
): Promise<JoinReply | null> {
  const [row] = await db.$queryRaw<
    (Row & { added: boolean; isKicked: boolean; isWhole: boolean })[]
  >`
    WITH before AS (SELECT * FROM lobby WHERE code = ${code}),
    changed AS (
      UPDATE lobby SET player_count = player_count + 1, version = version + 1, active_at = now()
       WHERE code = ${code} AND NOT locked AND player_count < capacity
         AND (status = 'waiting'
              OR (status = 'running' AND settings @> '{"lateJoin": true}'))
         AND ${userId}::uuid <> ALL(kicked_ids)
         AND NOT EXISTS (SELECT 1 FROM lobby_player p
                          WHERE p.lobby_id = lobby.id AND p.user_id = ${userId}::uuid)
      RETURNING *),
    seated AS (INSERT INTO lobby_player (lobby_id, user_id) SELECT id, ${userId}::uuid FROM changed
               RETURNING user_id, seat)
    ${lobbyRows(Prisma.sql`
        SELECT user_id, seat FROM lobby_player WHERE lobby_id = lobby.id
        UNION ALL SELECT user_id, seat FROM seated`)},
           EXISTS (SELECT 1 FROM changed) AS added,
           ${userId}::uuid = ANY(kicked_ids) AS "isKicked", ${IS_WHOLE} AS "isWhole"
      FROM ${AFTER} lobby`;
  if (!row) return null;
  const stored = row.isWhole ? toStored(row) : await findByCode(db, code);
  return stored && { stored, added: row.added, isKicked: row.isKicked };
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
  const changed = await db.$executeRaw`
    UPDATE lobby SET status = 'running', game_id = ${game.gameId}::uuid,
                     presenter_id = ${game.presenterId ?? null}::uuid,
                     version = version + 1, active_at = now()
     WHERE id = ${lobbyId}::uuid AND status = 'waiting' AND version = ${version}`;
  return changed === 1;
}

/**
 * Gives a lobby whose game no store knows any more back to its players. By the database's time: whoever
 * started the game, or looks, may have a clock that is wrong.
 * @param graceMs a game that was started so short a time ago may still be about to be opened
 */
export async function markWaiting(
  db: Database,
  lobbyId: string,
  gameId: string,
  graceMs: number,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE lobby SET ${WAITS_ANEW}
     WHERE id = ${lobbyId}::uuid AND status = 'running' AND game_id = ${gameId}::uuid
       AND active_at < now() - ${graceMs} * interval '1 millisecond'`;
  return changed === 1;
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
