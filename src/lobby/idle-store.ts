// Lobbies that nobody uses, in PostgreSQL: found, noted as used after all, or deleted. [contract 4]
import type { Database } from '../platform/postgres.ts';

/** Lobbies of a status in which nobody is known to have been active since `before`. */
export async function listIdle(
  db: Database,
  status: 'waiting' | 'finished',
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.lobby.findMany({
    where: { status, activeAt: { lt: before } },
    select: { id: true },
    orderBy: { activeAt: 'asc' },
    take: limit,
  });
  return rows.map((row) => row.id);
}

/** Notes that somebody was connected at `activeAt`. */
export async function noteActive(db: Database, lobbyId: string, activeAt: Date): Promise<void> {
  await db.lobby.updateMany({
    where: { id: lobbyId, activeAt: { lt: activeAt } },
    data: { activeAt },
  });
}

/** Deletes a lobby that is still idle. @returns whether it was deleted by this call */
export async function deleteIdle(
  db: Database,
  lobbyId: string,
  status: 'waiting' | 'finished',
  before: Date,
): Promise<boolean> {
  const { count } = await db.lobby.deleteMany({
    where: { id: lobbyId, status, activeAt: { lt: before } },
  });
  return count === 1;
}
