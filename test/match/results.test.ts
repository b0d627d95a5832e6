// Results of games that end at the same time share statements. Each is stored exactly once, whatever happens to
// the others. [contract 5.7]
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { LobbySettings } from '../../src/lobby/schema.ts';
import { saveResult } from '../../src/match/finish-match.ts';
import type { Database, PostgresPool } from '../../src/platform/postgres/postgres.ts';
import { SHORT_OUTAGES, useService } from '../support/service.ts';
import { withPostgres } from '../support/sql.ts';
import { connectToPostgres } from '../support/stores.ts';

const { service, stores } = useService(SHORT_OUTAGES);
let db: Database;
let postgres: PostgresPool;
let userIds: string[];
let lobbies = 0;

beforeAll(async () => {
  ({ db, postgres } = service.services);
  // Its statements would count among those of the results.
  service.services.storeChecks.stop();
  const data = ['Ada', 'Ben'].map((name) => ({ name, email: `${name}@example.com` }));
  userIds = (await db.user.createManyAndReturn({ data })).map(({ id }) => id);
});
beforeEach(() => void vi.restoreAllMocks());

/** Makes running lobbies, and the results of their games. */
async function end(count: number, rounds: string[] = ['{"round":1}']) {
  const hostId = userIds[0] as string;
  const settings = { rounds: 1 } as LobbySettings;
  const ended = Array.from({ length: count }, () => {
    const scores = userIds.map((userId, at) => ({ userId, name: `P${at}`, score: at, correct: at }));
    const times = { startedAt: '2026-11-21T09:30:00.000Z', finishedAt: '2026-11-21T09:31:00.000Z' };
    const code = String(++lobbies).padStart(6, '0');
    const game = { gameId: randomUUID(), code, settings, winnerIds: userIds.slice(1) };
    return { lobbyId: randomUUID(), result: { ...game, ...times, scores }, rounds };
  });
  const lobby = { hostId, status: 'running', capacity: 8, playerCount: 2, settings: {} } as const;
  await db.lobby.createMany({
    data: ended.map(({ lobbyId, result: { gameId, code } }) => ({ id: lobbyId, gameId, code, ...lobby })),
  });
  return ended;
}

type Ended = Awaited<ReturnType<typeof end>>[number];

function saveBy(pool: PostgresPool, { lobbyId, result, rounds }: Ended) {
  // Who is first in the standings has entered last.
  const players = userIds.toReversed().map((userId) => ({ userId, name: '', left: false }));
  const match = { lobbyId, presenterId: null, isCompact: false, players };
  return saveResult(pool, { match, result, rounds });
}
const save = (game: Ended) => saveBy(postgres, game);

const storedOf = (games: readonly Ended[]) =>
  db.game.findMany({
    where: { id: { in: games.map(({ result }) => result.gameId) } },
    include: { scores: { orderBy: { position: 'asc' } } },
  });

const statusesOf = async (games: readonly Ended[]) => {
  const ids = games.map(({ lobbyId }) => lobbyId);
  const rows = await db.lobby.findMany({ where: { id: { in: ids } } });
  return new Set(rows.map(({ status, version }) => `${status} ${version}`));
};

it('results of games that end at once are stored by one statement, each exactly once', async () => {
  const games = await end(30);
  const query = vi.spyOn(postgres, 'query');
  const saved = await Promise.all(games.map(save));
  expect(query).toHaveBeenCalledTimes(1);
  expect(saved).toEqual(games.map(() => ({ isNew: true, version: 2 })));
  const again = await Promise.all([...games, ...games].toReversed().map(save));
  expect(again).toEqual([...games, ...games].map(() => ({ isNew: false, version: null })));

  const stored = await storedOf(games);
  expect(stored).toHaveLength(30);
  for (const { id, ...game } of stored) {
    const { code, winnerIds, scores } = (games.find(({ result }) => result.gameId === id) as Ended).result;
    const seats = scores.map((score, at) => ({ ...score, seat: 1 - at }));
    expect(game).toMatchObject({ code, winnerIds, hostId: userIds[0], rounds: [{ round: 1 }], scores: seats });
  }
  expect(await statusesOf(games)).toEqual(new Set(['finished 2']));
});

it('a result that PostgreSQL refuses fails no other', async () => {
  const games = await end(5);
  // PostgreSQL stores no NUL in its texts.
  const refused = { ...(games[2] as Ended), rounds: ['{"prompt":"\\u0000"}'] };
  const outcomes = await Promise.allSettled(games.with(2, refused).map(save));
  const failed = outcomes.map(({ status }) => status === 'rejected');
  expect(failed).toEqual([false, false, true, false, false]);
  const others = games.toSpliced(2, 1);
  expect(await storedOf(games)).toHaveLength(4);
  expect(await statusesOf(others)).toEqual(new Set(['finished 2']));
  expect(await statusesOf([refused])).toEqual(new Set(['running 1']));
});

it('a result whose lobby is locked is cancelled in the end, and fails no other', async () => {
  const games = await end(3);
  const outcomes = await withPostgres(stores.databaseUrl, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM lobby WHERE id = $1 FOR UPDATE', [games[0]?.lobbyId]);
    return Promise.allSettled(games.map(save));
  });
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(await save(games[0] as Ended)).toEqual({ isNew: true, version: 2 });
  expect(await storedOf(games)).toHaveLength(3);
});

it('statements with the same games in any order wait for each other, and do not deadlock', async () => {
  const { postgres: other } = connectToPostgres(stores.databaseUrl, 1);
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      const games = await end(20);
      const saved = await Promise.all([...games.map(save), ...games.toReversed().map((game) => saveBy(other, game))]);
      expect(saved.filter(({ isNew }) => isNew)).toHaveLength(20);
      expect(await statusesOf(games)).toEqual(new Set(['finished 2']));
    }
  } finally {
    // Prisma ends only a pool that it has used.
    await other.end();
  }
});

it('large results are stored by several statements, so that none gets too long', async () => {
  const games = await end(5, [JSON.stringify({ prompt: 'x'.repeat(600_000) })]);
  const query = vi.spyOn(postgres, 'query');
  expect(await Promise.all(games.map(save))).toEqual(games.map(() => ({ isNew: true, version: 2 })));
  expect(query).toHaveBeenCalledTimes(3);
});

it('the result of a game whose lobby is deleted is stored', async () => {
  const games = await end(1);
  await db.lobby.deleteMany({ where: { id: games[0]?.lobbyId as string } });
  expect(await save(games[0] as Ended)).toEqual({ isNew: true, version: null });
  expect((await storedOf(games))[0]).toMatchObject({ hostId: null });
});
