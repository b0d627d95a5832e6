// Finds and deletes idle lobbies in PostgreSQL. [contract 4]
import type { Database } from '../platform/postgres/postgres.ts';

export type IdleStatus = 'waiting' | 'finished';

export interface IdleLobby {
  id: string;
  activeAt: Date;
}

/**
 * @param after the last lobby of the page before
 * @returns a page of the lobbies of a status without a stored activity since `before`, the longest idle first
 */
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

/** Stores the time at which a user was connected last. */
export async function noteActive(db: Database, lobbyId: string, activeAt: Date): Promise<void> {
  await db.lobby.updateMany({ where: { id: lobbyId, activeAt: { lt: activeAt } }, data: { activeAt } });
}

/** Deletes a lobby that is still idle. @returns whether this call has deleted it */
export async function deleteIdle(db: Database, lobbyId: string, status: IdleStatus, before: Date): Promise<boolean> {
  const { count } = await db.lobby.deleteMany({ where: { id: lobbyId, status, activeAt: { lt: before } } });
  return count === 1;
}
