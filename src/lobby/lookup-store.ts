// Looks up lobbies in PostgreSQL by the codes that users send, and those that are idle. Concurrent lookups of codes
// share a query. [contract 4]
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from '../platform/overload/batches.ts';
import { type Database, type Postgres, queryOn } from '../platform/postgres/postgres.ts';
import { isMember } from './rules.ts';
import { type LobbyRow, type StoredLobby, selectLobby, toStored } from './store.ts';

export interface CodeLookup {
  code: string;
  userId: string;
}

const keyOf = ({ code, userId }: CodeLookup) => `${code} ${userId}`;

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

/** The subselects hide the lengths of the arrays from the planner, so that one plan is used for all calls. */
function lookupTable(lookups: CodeLookup[]): Prisma.Sql {
  const codes = lookups.map(({ code }) => code);
  const userIds = lookups.map(({ userId }) => userId);
  return Prisma.sql`unnest((SELECT ${codes}::char(6)[]), ${userIds}::uuid[])
                    WITH ORDINALITY lookup(code, user_id, nr)`;
}

type Membership = 'member' | 'kicked' | 'stranger' | null;

/** @returns how the user belongs to the lobby with this code; null where there is no such lobby */
export const membershipOf = inBatches(async (postgres: Postgres, lookups: CodeLookup[]) => {
  const rows = await queryOn(postgres)<{ membership: Membership }>`
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

export async function takenNames(db: Database, lobbyId: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT coalesce(p.name, u.name) AS name FROM lobby_player p JOIN "user" u ON u.id = p.user_id
     WHERE p.lobby_id = ${lobbyId}::uuid AND coalesce(p.name, u.name) = ANY(${names}::text[])`;
  return new Set(rows.map(({ name }) => name));
}

export type IdleStatus = 'waiting' | 'finished';

export interface IdleLobby {
  id: string;
  activeAt: Date;
}

/** @returns a page of the lobbies of a status without a stored activity since `before`, the longest idle first */
export async function listIdle(
  db: Database,
  status: IdleStatus,
  before: Date,
  after: IdleLobby | undefined,
  limit: number,
): Promise<IdleLobby[]> {
  return db.lobby.findMany({
    where: {
      status,
      activeAt: { lt: before, ...(after && { gte: after.activeAt }) },
      ...(after && { NOT: { activeAt: after.activeAt, id: { lte: after.id } } }),
    },
    select: { id: true, activeAt: true },
    orderBy: [{ activeAt: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

export async function noteActive(db: Database, lobbyId: string, activeAt: Date): Promise<void> {
  await db.lobby.updateMany({ where: { id: lobbyId, activeAt: { lt: activeAt } }, data: { activeAt } });
}

/** Deletes a lobby that is still idle. @returns whether this call has deleted it */
export async function deleteIdle(db: Database, lobbyId: string, status: IdleStatus, before: Date): Promise<boolean> {
  const { count } = await db.lobby.deleteMany({ where: { id: lobbyId, status, activeAt: { lt: before } } });
  return count === 1;
}
