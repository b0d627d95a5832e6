// Results in PostgreSQL: written once, however often the end of a game is carried out.
import { DELETED_NAME, findDeleted } from '../auth/deleted-users.ts';
import { settingsOf } from '../lobby/schema.ts';
import { type Database, isUniqueViolation } from '../platform/postgres.ts';
import type { GameResult, StoredRound } from './schema.ts';

/**
 * Stores a result and marks its lobby finished, in one transaction.
 * @returns whether it was stored by this call
 */
export async function saveResult(
  db: Database,
  { lobbyId, presenterId }: { lobbyId: string; presenterId: string | null },
  result: GameResult,
): Promise<boolean> {
  const { gameId, scores, ...game } = result;
  const players = scores.map(({ userId }) => userId);
  const deleted = await findDeleted(db, players);
  const rows = scores.map((score, position) => ({
    ...score,
    ...(deleted.has(score.userId) && { name: DELETED_NAME }),
    position,
  }));
  try {
    await db.$transaction([
      db.game.create({
        data: { id: gameId, ...game, presenterId, scores: { createMany: { data: rows } } },
      }),
      db.lobby.updateMany({
        where: { id: lobbyId, gameId, status: 'running' },
        data: { status: 'finished', version: { increment: 1 }, activeAt: new Date() },
      }),
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** @returns the result if this user played in that game, or presented it. [contract 4, 11, 13] */
export async function findResult(
  db: Database,
  gameId: string,
  userId: string,
): Promise<GameResult | null> {
  const game = await db.game.findFirst({
    where: { id: gameId, OR: [{ scores: { some: { userId } } }, { presenterId: userId }] },
    include: { scores: { orderBy: { position: 'asc' } } },
  });
  if (!game) return null;
  return {
    gameId: game.id,
    code: game.code,
    settings: settingsOf(game.settings),
    startedAt: game.startedAt.toISOString(),
    finishedAt: game.finishedAt.toISOString(),
    scores: game.scores.map(({ userId, name, score, correct }) => ({
      userId,
      name,
      score,
      correct,
    })),
    winnerIds: game.winnerIds,
    rounds: game.rounds as StoredRound[],
  };
}
