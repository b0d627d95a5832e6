// Finished games in PostgreSQL, for tests in which nobody has to play them.
import { randomUUID } from 'node:crypto';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import type { Database } from '../../src/platform/postgres/postgres.ts';

type Columns = Partial<Omit<Prisma.GameUncheckedCreateInput, 'scores'>>;

/**
 * @param standings the players, the best first. They have entered in the reverse order, so that a reader that confuses
 *   the standings with the seats is noticed
 * @param at when the game began and ended
 * @returns the game's id
 */
export async function storeGame(
  db: Database,
  standings: readonly { id: string; name?: string }[],
  { at = new Date(), ...columns }: Columns & { at?: Date } = {},
): Promise<string> {
  const id = randomUUID();
  const last = standings.length - 1;
  const scores = standings.map(({ id: userId, name = `Player ${userId}` }, position) => ({
    userId,
    name,
    score: last - position,
    correct: last - position,
    position,
    seat: last - position,
  }));
  await db.game.create({
    data: {
      id,
      code: '7KQ2ZD',
      settings: LOBBY_EXAMPLE.settings,
      startedAt: at,
      finishedAt: at,
      winnerIds: standings.slice(0, 1).map((player) => player.id),
      ...columns,
      scores: { createMany: { data: scores } },
    },
  });
  return id;
}
