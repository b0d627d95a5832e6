// The finished games in a user's export, and what happens if PostgreSQL fails while it is sent. [contract 13, 19, 22]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT, exportOf, roundOf, storeGame } from '../support/exports.ts';
import { SHORT_OUTAGES, startService, type TestService, useService } from '../support/service.ts';
import { withPostgres } from '../support/sql.ts';
import { createPerson } from '../support/users.ts';

const { service, stores } = useService();

const newUser = () => createPerson(service);

type StoredGame = Parameters<typeof storeGame>[2] & { playerIds: string[]; day?: number };

/** Stores a finished game of one round, which everybody has answered. @returns its id */
async function store({ playerIds, day = 1, ...game }: StoredGame): Promise<string> {
  const at = new Date(Date.UTC(2026, 10, day));
  const round = roundOf({ judgedAt: at.toISOString(), answers: playerIds.map(() => [0, 1, 5]) });
  const players = playerIds.map((id) => ({ id }));
  const result = { winnerIds: playerIds, rounds: [round] };
  return storeGame(service.services.db, players, { at, ...result, ...game });
}

describe('games in an export', () => {
  it('are those that the user played, presented or hosted at the end, each once, newest first', async () => {
    const { user, client } = await newUser();
    const other = randomUUID();
    const played = await store({ playerIds: [user.id, other], day: 1, hostId: user.id });
    const presented = await store({ playerIds: [other], day: 3, presenterId: user.id });
    const hosted = await store({ playerIds: [other], day: 2, hostId: user.id });
    await store({ playerIds: [other], day: 4, hostId: other });
    const ids = (await exportOf(client)).games.map(({ gameId }) => gameId);
    expect(ids).toEqual([presented, hosted, played]);
    const listed = (await client.get('/api/v1/games')).body.games;
    expect(listed.map(({ gameId }: { gameId: string }) => gameId)).toEqual(ids);
  });

  it('have exactly what GET /api/v1/games/:gameId shows the user, of a compact game too', async () => {
    const { user, client } = await newUser();
    const crowd = Array.from({ length: 15 }, () => randomUUID());
    const others = { compact: true, hostId: crowd[0] ?? '' };
    const ids = [
      await store({ playerIds: crowd, ...others, presenterId: user.id, day: 4 }),
      await store({ playerIds: [...crowd, user.id], ...others, day: 3 }),
      await store({ playerIds: [...crowd, user.id], compact: true, hostId: user.id, day: 2 }),
      await store({ playerIds: [...crowd, user.id], day: 1 }),
    ];
    const { games } = await exportOf(client);
    const singles: unknown[] = [];
    for (const id of ids) singles.push((await client.get(`/api/v1/games/${id}`)).body);
    expect(games).toEqual(singles);
    expect(games.map(({ scores }) => scores.length)).toEqual([10, 11, 16, 16]);
    expect(games.map(({ rounds }) => rounds[0]?.answers.length)).toEqual([0, 1, 16, 16]);
    const own = games[1]?.rounds[0]?.answers;
    expect(own).toEqual([{ userId: user.id, selectedOptionId: 0, isCorrect: true, points: 1, elapsedMs: 5 }]);
  });

  it('are all there if they are more than one page, also of the same moment', async () => {
    const { user, client } = await newUser();
    const ids: string[] = [];
    for (let count = 0; count < 430; count++) ids.push(await store({ playerIds: [user.id] }));
    const { games } = await exportOf(client);
    expect(games.map(({ gameId }) => gameId)).toEqual(ids.toSorted().toReversed());
  });
});

describe('if PostgreSQL does not answer', () => {
  let hasty: TestService;
  beforeAll(async () => {
    hasty = await startService(stores, SHORT_OUTAGES);
  });
  afterAll(() => hasty.stop());

  /** Locks a table while `work` runs, so that each statement that reads it fails after its timeout. */
  const whileLocked = (table: string, work: () => Promise<void>) =>
    withPostgres(stores.databaseUrl, async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${table}`);
      await work();
    });

  it('an export that has not begun is 503, and no attachment', async () => {
    const { client } = await createPerson(hasty);
    await whileLocked('"user"', async () => {
      const { status, headers, body } = await client.get(EXPORT);
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(headers.get('content-disposition')).toBeNull();
    });
  });

  it('an export that has begun is cut, so that its client does not take a part for the whole', async () => {
    const { user, client } = await createPerson(hasty);
    await store({ playerIds: [user.id] });
    await whileLocked('learned_word', async () => {
      const answer = await fetch(hasty.url + EXPORT, { headers: { cookie: client.cookie() } });
      expect(answer.status).toBe(200);
      const chunks: Uint8Array[] = [];
      const reading = (async () => {
        for await (const chunk of answer.body ?? []) chunks.push(chunk);
      })();
      await expect(reading).rejects.toThrow('terminated');
      const text = Buffer.concat(chunks).toString();
      expect(text).toContain('"games":[{');
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    });
    expect((await exportOf(client)).games).toHaveLength(1);
  });
});
