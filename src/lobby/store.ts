// Lobbies in PostgreSQL: their members, settings and status. Each change is one statement that locks the lobby's row
// and increments its version, which shows the newer of two announcements. Lookups of codes are batched. [contract 4]
import { Prisma } from '../generated/prisma/client.ts';
import { nameKey } from '../names/rules.ts';
import { inBatches } from '../platform/overload/batches.ts';
import { type Database, type Postgres, queryOn } from '../platform/postgres/postgres.ts';
import { isMember } from './rules.ts';
import { ADDED_SETTINGS, type LobbySettings, type Roster } from './schema.ts';

export interface StoredLobby {
  roster: Roster;
  version: number;
}

/** What `selectLobby` reads. */
type LobbyRow = Omit<Roster, 'players' | 'createdAt' | 'kicked'> & {
  /** In the order in which they joined. */
  players: { userId: string; name: string }[];
  createdAt: Date;
  version: number;
  presenterId: string | null;
  kickedIds: string[];
};

/** How many removed users a roster names: the sockets of earlier ones have got `lobby:kicked` before. */
const KICKS_TOLD = 20;

const LAST_KICKED = Prisma.raw(`lobby.kicked_ids[cardinality(lobby.kicked_ids) - ${KICKS_TOLD - 1}:]`);

const PLAYERS = Prisma.sql`SELECT user_id, seat, name FROM lobby_player WHERE lobby_id = lobby.id`;

/** As a subquery it is always looked up by the key: for a join, the planner may read all users, however many there are. */
const USER_NAME = Prisma.sql`(SELECT u.name FROM "user" u WHERE u.id = players.user_id)`;

/**
 * @param players selects `user_id`, `seat` and `name` of the players, for a statement that changes them, since it
 *   doesn't see its own changes
 * @returns a SELECT of the table or subquery `lobby`, without its FROM, in the order of a roster's fields
 */
function selectLobby(players: Prisma.Sql = PLAYERS): Prisma.Sql {
  return Prisma.sql`
    SELECT lobby.id AS "lobbyId", lobby.code, lobby.status::text, lobby.host_id AS "hostId", lobby.capacity,
           lobby.settings,
           (SELECT coalesce(json_agg(json_build_object('userId', user_id, 'name', coalesce(name, ${USER_NAME}))
                                     ORDER BY seat), '[]')
              FROM (${players}) players) AS players,
           lobby.locked, lobby.game_id AS "gameId", lobby.created_at AS "createdAt",
           lobby.version, lobby.presenter_id AS "presenterId", ${LAST_KICKED} AS "kickedIds"`;
}

/**
 * The row after a statement that changes and reads a lobby: `before` is the row in the statement's snapshot, `changed`
 * the changed row, if any. Of changes by others while it waited for the row lock, it sees the row's, not the players'.
 */
const LOBBY_AFTER = Prisma.sql`
  (SELECT * FROM changed UNION ALL SELECT * FROM before WHERE NOT EXISTS (SELECT 1 FROM changed))`;

/** Whether no other statement has changed the lobby meanwhile: each change increments the version by one. */
const IS_CONSISTENT = Prisma.sql`
  coalesce((SELECT changed.version = before.version + 1 FROM changed, before), true)`;

function toStored({ version, presenterId, kickedIds, ...lobby }: LobbyRow): StoredLobby {
  const { status, hostId } = lobby;
  const settings = { ...ADDED_SETTINGS, ...lobby.settings };
  const presenting = status === 'waiting' ? !settings.hostPlays && hostId : presenterId;
  const players = lobby.players.map(({ userId, name }) => ({
    userId,
    name,
    isHost: userId === hostId,
    plays: userId !== presenting,
  }));
  const createdAt = lobby.createdAt.toISOString();
  const kicked = kickedIds.length > 0 && { kicked: kickedIds };
  return { version, roster: { ...lobby, settings, players, createdAt, ...kicked } };
}

/** The assignments that make a lobby wait for another game. */
const SET_WAITING = Prisma.sql`
  status = 'waiting', game_id = NULL, presenter_id = NULL, version = version + 1, active_at = now()`;

/** The first reason why a user whom the host has not removed can't join a row of `lobby` now; null without one. */
const REFUSAL = Prisma.sql`
  CASE WHEN lobby.status <> 'waiting'
            AND NOT (lobby.status = 'running' AND lobby.settings @> '{"lateJoin": true}') THEN 'LOBBY_NOT_WAITING'
       WHEN lobby.locked THEN 'LOBBY_LOCKED'
       WHEN lobby.player_count >= lobby.capacity THEN 'LOBBY_FULL' END`;

interface Joinable {
  refusal: 'LOBBY_NOT_WAITING' | 'LOBBY_LOCKED' | 'LOBBY_FULL' | null;
}

type Entrance = Pick<Roster, 'lobbyId' | 'code' | 'capacity'> & Pick<LobbySettings, 'names'> & Joinable;

/** Finds lobbies by their parsed codes, with why each can't be joined now. */
export const findEntrance = inBatches(
  async (db: Database, codes: string[]) => {
    const rows = await db.$queryRaw<Entrance[]>`
      SELECT id AS "lobbyId", code, capacity, coalesce(settings ->> 'names', 'any') AS names, ${REFUSAL} AS refusal
        FROM lobby WHERE code = ANY((SELECT ${codes}::char(6)[])::char(6)[])`;
    const found = new Map(rows.map((lobby) => [lobby.code, lobby]));
    return codes.map((code) => found.get(code) ?? null);
  },
  (code) => code,
);

type CodeLookup = { code: string; userId: string };

const keyOf = ({ code, userId }: CodeLookup) => `${code} ${userId}`;

/** The subselects hide the lengths of the arrays from the planner, so that one plan is used for all calls. */
function lookupTable(lookups: CodeLookup[]): Prisma.Sql {
  const codes = lookups.map(({ code }) => code);
  const userIds = lookups.map(({ userId }) => userId);
  return Prisma.sql`unnest((SELECT ${codes}::char(6)[]), ${userIds}::uuid[])
                    WITH ORDINALITY lookup(code, user_id, nr)`;
}

/**
 * @returns the lobby if the user is a member. Otherwise nothing of it is read, so that the time of a refusal
 *   doesn't show whether the lobby exists
 */
export const findForMember = inBatches(async (postgres: Postgres, lookups: CodeLookup[]) => {
  const rows = await queryOn(postgres)<LobbyRow>`
      ${selectLobby()} FROM lobby
       WHERE id IN (SELECT p.lobby_id FROM ${lookupTable(lookups)}
                      JOIN lobby wanted ON wanted.code = lookup.code
                      JOIN lobby_player p ON p.lobby_id = wanted.id AND p.user_id = lookup.user_id)`;
  const found = new Map(rows.map((row) => [row.code, toStored(row)]));
  return lookups.map(({ code, userId }): StoredLobby | null => {
    const stored = found.get(code);
    return stored && isMember(stored.roster, userId) ? stored : null;
  });
}, keyOf);

/** @returns how the user belongs to the lobby with this code; null where there is no such lobby */
export const membershipOf = inBatches(async (postgres: Postgres, lookups: CodeLookup[]) => {
  const rows = await queryOn(postgres)<{ membership: 'member' | 'kicked' | 'stranger' | null }>`
      SELECT CASE WHEN p.user_id IS NOT NULL THEN 'member'
                  WHEN lookup.user_id = ANY(lobby.kicked_ids) THEN 'kicked'
                  WHEN lobby.id IS NOT NULL THEN 'stranger' END AS membership
        FROM ${lookupTable(lookups)}
        LEFT JOIN LATERAL (SELECT id, kicked_ids FROM lobby
                            WHERE code = lookup.code LIMIT 1) lobby ON true
        LEFT JOIN LATERAL (SELECT user_id FROM lobby_player
                            WHERE lobby_id = lobby.id AND user_id = lookup.user_id LIMIT 1) p ON true
       ORDER BY nr`;
  return rows.map(({ membership }) => membership);
}, keyOf);

export async function findById(postgres: Postgres, lobbyId: string): Promise<StoredLobby | null> {
  const [row] = await queryOn(postgres)<LobbyRow>`${selectLobby()} FROM lobby WHERE id = ${lobbyId}::uuid`;
  return row ? toStored(row) : null;
}

interface NewLobby extends Pick<Roster, 'lobbyId' | 'hostId' | 'capacity' | 'settings'> {
  /** The host's name where the lobby's names are not any: it is taken there from the beginning. */
  hostName: string | null;
}

/** Creates a lobby with its host as first player. @throws a unique violation where the code is taken */
export async function insertLobby(
  postgres: Postgres,
  code: string,
  { lobbyId, hostId, capacity, settings, hostName }: NewLobby,
): Promise<StoredLobby> {
  const hostKey = hostName === null ? null : nameKey(hostName);
  const [row] = await queryOn(postgres)<LobbyRow>`
    WITH inserted AS (
      INSERT INTO lobby (id, code, host_id, capacity, settings, player_count)
      VALUES (${lobbyId}::uuid, ${code}, ${hostId}::uuid, ${capacity}, ${JSON.stringify(settings)}::jsonb, 1)
      RETURNING *),
    named AS (INSERT INTO lobby_name (lobby_id, user_id, name, name_key)
              SELECT id, host_id, ${hostName}::text, ${hostKey}::text
                FROM inserted WHERE ${hostName}::text IS NOT NULL),
    joined AS (INSERT INTO lobby_player (lobby_id, user_id) SELECT id, host_id FROM inserted
               RETURNING user_id, seat, name)
    ${selectLobby(Prisma.sql`SELECT user_id, seat, name FROM joined`)} FROM inserted lobby`;
  return toStored(row as LobbyRow);
}

interface Joining extends Joinable {
  /** Whether this call has added the player. */
  added: boolean;
  isKicked: boolean;
  isConsistent: boolean;
}

/**
 * Adds a player if the lobby can be joined, and reads the lobby, in one statement, whose lock of the lobby's row orders
 * all joins. Two concurrent joins of one user end in a unique violation, which undoes the count too. The activity is
 * noted by the minute, so that most joins change no indexed column. Where the lobby's names are not any, the user must
 * have one there; the one that the user has had there is kept in any case. [contract 22]
 * @returns the lobby after the join; null where there is no such lobby
 */
export async function addPlayer(postgres: Postgres, code: string, userId: string) {
  const [row] = await queryOn(postgres)<LobbyRow & Joining>`
    WITH before AS (SELECT * FROM lobby WHERE code = ${code}),
    changed AS (
      UPDATE lobby SET player_count = player_count + 1, version = version + 1,
             active_at = greatest(active_at, date_trunc('minute', now()))
       WHERE code = ${code} AND ${REFUSAL} IS NULL
         AND ${userId}::uuid <> ALL(kicked_ids)
         AND (coalesce(settings ->> 'names', 'any') = 'any'
              OR EXISTS (SELECT 1 FROM lobby_name n
                          WHERE n.lobby_id = lobby.id AND n.user_id = ${userId}::uuid))
         AND NOT EXISTS (SELECT 1 FROM lobby_player p
                          WHERE p.lobby_id = lobby.id AND p.user_id = ${userId}::uuid)
      RETURNING *),
    joined AS (
      INSERT INTO lobby_player (lobby_id, user_id, name)
      SELECT id, ${userId}::uuid, (SELECT n.name FROM lobby_name n
                                    WHERE n.lobby_id = changed.id AND n.user_id = ${userId}::uuid)
        FROM changed RETURNING user_id, seat, name)
    ${selectLobby(Prisma.sql`
        SELECT user_id, seat, name FROM lobby_player WHERE lobby_id = lobby.id
        UNION ALL SELECT user_id, seat, name FROM joined`)},
           EXISTS (SELECT 1 FROM changed) AS added, ${REFUSAL} AS refusal,
           ${userId}::uuid = ANY(kicked_ids) AS "isKicked", ${IS_CONSISTENT} AS "isConsistent"
      FROM ${LOBBY_AFTER} lobby`;
  if (!row) return null;
  const { added, isKicked, isConsistent, refusal, ...lobby } = row;
  const stored = isConsistent ? toStored(lobby) : await findById(postgres, lobby.lobbyId);
  return stored && { stored, added, isKicked, refusal };
}

/**
 * Removes players, except from a waiting lobby whose host is one of them, which is deleted instead. A host's role
 * passes to the connected player who joined first, or else to the player who joined first. [contract 11]
 * While the statement waits for the lobby's lock, others may change the players. Locking the next host's row skips
 * those who have left. Who has joined is counted, but not seen: without another next host, nothing changes, and the
 * call has to be repeated.
 * @returns the version of the lobby without the players, and who of them was one; null where nothing has changed
 */
export async function removePlayers(
  postgres: Postgres,
  lobbyId: string,
  userIds: readonly string[],
  connected: Iterable<string>,
): Promise<{ version: number; removedIds: string[] } | null> {
  const ids = Prisma.sql`${userIds}::uuid[]`;
  const [changed] = await queryOn(postgres)<{ version: number; removedIds: string[] }>`
    WITH locked_row AS MATERIALIZED (
      SELECT id, host_id, player_count FROM lobby
       WHERE id = ${lobbyId}::uuid AND NOT (status = 'waiting' AND host_id = ANY(${ids}))
         FOR UPDATE),
    next_host AS MATERIALIZED (
      SELECT p.user_id FROM lobby_player p JOIN locked_row ON locked_row.id = p.lobby_id
       WHERE locked_row.host_id = ANY(${ids}) AND p.user_id <> ALL(${ids})
       ORDER BY p.user_id = ANY(${[...connected]}::uuid[]) DESC, p.seat LIMIT 1
         FOR UPDATE OF p),
    leaving AS (
      SELECT count(*) FROM lobby_player WHERE lobby_id = ${lobbyId}::uuid AND user_id = ANY(${ids})),
    removed AS (
      DELETE FROM lobby_player p USING locked_row
       WHERE p.lobby_id = locked_row.id AND p.user_id = ANY(${ids})
         AND (host_id <> ALL(${ids}) OR EXISTS (SELECT 1 FROM next_host)
              OR player_count = (SELECT count FROM leaving))
      RETURNING p.user_id)
    UPDATE lobby SET player_count = player_count - (SELECT count(*) FROM removed),
                     version = version + 1,
                     host_id = coalesce((SELECT user_id FROM next_host), host_id)
     WHERE id IN (SELECT id FROM locked_row)
       AND (EXISTS (SELECT 1 FROM removed) OR EXISTS (SELECT 1 FROM next_host))
    RETURNING version, ARRAY(SELECT user_id FROM removed) AS "removedIds"`;
  return changed ?? null;
}

/** Deletes a waiting lobby if its host is one of the users. @returns null where it has not */
export async function deleteWaiting(postgres: Postgres, lobbyId: string, userIds: readonly string[]) {
  const [deleted] = await queryOn(postgres)<{ code: string; hostId: string }>`
    DELETE FROM lobby
     WHERE id = ${lobbyId}::uuid AND host_id = ANY(${userIds}::uuid[]) AND status = 'waiting'
    RETURNING code, host_id AS "hostId"`;
  return deleted ?? null;
}

/** Marks a waiting lobby as running if nothing has changed since `version` was read. @returns whether this call has */
export async function markRunning(
  postgres: Postgres,
  lobbyId: string,
  version: number,
  game: { gameId: string; presenterId?: string | undefined; settings: LobbySettings },
): Promise<boolean> {
  const marked = await queryOn(postgres)`
    UPDATE lobby SET status = 'running', game_id = ${game.gameId}::uuid,
                     presenter_id = ${game.presenterId ?? null}::uuid,
                     settings = ${JSON.stringify(game.settings)}::jsonb,
                     version = version + 1, active_at = now()
     WHERE id = ${lobbyId}::uuid AND status = 'waiting' AND version = ${version} RETURNING id`;
  return marked.length === 1;
}

/**
 * Marks a lobby as waiting again whose game Redis has lost.
 * @param graceMs a game that was started within this time, by PostgreSQL's clock, may not have been opened yet
 */
export async function markWaiting(db: Database, lobbyId: string, gameId: string, graceMs: number): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE lobby SET ${SET_WAITING}
     WHERE id = ${lobbyId}::uuid AND status = 'running' AND game_id = ${gameId}::uuid
       AND active_at < now() - ${graceMs} * interval '1 millisecond'`;
  return changed === 1;
}

export async function findVersions(db: Database, lobbyIds: string[]): Promise<Map<string, number>> {
  const rows = await db.lobby.findMany({ where: { id: { in: lobbyIds } }, select: { id: true, version: true } });
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** Where a lobby is in a list by activity. The activity of a running lobby is its start. */
export interface ActivityPlace {
  lobbyId: string;
  activeAt: Date;
}

/**
 * Lists a page of the lobbies of a status, the longest inactive first.
 * @param after the last lobby of the page before @param before leaves out lobbies with a stored activity since then
 */
export async function listByActivity(
  db: Database,
  status: Roster['status'],
  { after, before, limit }: { after: ActivityPlace | undefined; before?: Date; limit: number },
) {
  const rows = await db.lobby.findMany({
    where: {
      status,
      activeAt: { ...(before && { lt: before }), ...(after && { gte: after.activeAt }) },
      ...(after && { NOT: { activeAt: after.activeAt, id: { lte: after.lobbyId } } }),
    },
    select: { id: true, gameId: true, activeAt: true },
    orderBy: [{ activeAt: 'asc' }, { id: 'asc' }],
    take: limit,
  });
  return rows.map(({ id, ...row }) => ({ lobbyId: id, ...row }));
}

export async function noteActive(db: Database, lobbyId: string, activeAt: Date): Promise<void> {
  await db.lobby.updateMany({ where: { id: lobbyId, activeAt: { lt: activeAt } }, data: { activeAt } });
}

/** Deletes a lobby that is still idle. @returns whether it has */
export async function deleteIdle(
  db: Database,
  lobbyId: string,
  status: 'waiting' | 'finished',
  before: Date,
): Promise<boolean> {
  const { count } = await db.lobby.deleteMany({ where: { id: lobbyId, status, activeAt: { lt: before } } });
  return count === 1;
}

/** Removes a player, who can't join again. @returns whether the player was a member, and `hostId` is the host */
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

/** @returns whether the lobby was as `where` says, and is changed */
async function updateOne(db: Database, where: Prisma.LobbyWhereInput, data: Prisma.LobbyUpdateManyMutationInput) {
  const { count } = await db.lobby.updateMany({ where, data: { ...data, version: { increment: 1 } } });
  return count === 1;
}

/** Locks or unlocks the lobby. @returns whether this user is the host, and this call has made the change */
export function setLocked(db: Database, lobbyId: string, hostId: string, locked: boolean): Promise<boolean> {
  return updateOne(db, { id: lobbyId, hostId, locked: !locked }, { locked });
}

/** Changes a waiting lobby if nothing else has changed since `version` was read. @returns whether it has */
export function setSettings(
  db: Database,
  lobbyId: string,
  version: number,
  change: Pick<Roster, 'settings' | 'capacity'>,
): Promise<boolean> {
  return updateOne(db, { id: lobbyId, status: 'waiting', version }, change);
}

/** Opens a finished lobby for another game. @returns whether this call did it */
export async function markWaitingAgain(db: Database, lobbyId: string, hostId: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE lobby SET ${SET_WAITING}
     WHERE id = ${lobbyId}::uuid AND host_id = ${hostId}::uuid AND status = 'finished'`;
  return changed === 1;
}
