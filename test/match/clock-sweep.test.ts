// The sweep schedules a new clock for each game that has lost its own. [contract 5.5]
import { describe, expect, it } from 'vitest';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { listRunning } from '../../src/lobby/store.ts';
import { restoreClocks } from '../../src/match/clock/restore-clocks.ts';
import { matchKey } from '../../src/match/keys.ts';
import { TWO_TIMEOUTS, useClockedGames } from '../support/clocked-games.ts';

const { services, hostId, gather, start, startAndCrash, startWorker, lobbyOf, eventsOf, clocks, expectEnd } =
  useClockedGames();

describe('the sweep of clocks', () => {
  it('schedules a new clock for a game that has lost its own, once, and the game ends', async () => {
    const lobbyId = await gather();
    const gameId = await start(lobbyId);
    await (await services.clock.find(gameId))?.remove();
    await Promise.all([restoreClocks(services), restoreClocks(services)]);
    await restoreClocks(services);
    expect(await clocks()).toBe(1);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'running', gameId });
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('does not touch a clock that can still start its game', async () => {
    const lobbyId = await gather();
    await startAndCrash(lobbyId, 'sql $executeRaw');
    await services.db.lobby.update({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
    await restoreClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'running' });
    startWorker();
    await expectEnd(lobbyId);
  });

  it('gives a lobby whose game is lost back to its players, but not while the game may still be opened', async () => {
    const lobbyId = await gather();
    const gameId = await startAndCrash(lobbyId, 'sql $executeRaw');
    await (await services.clock.find(gameId))?.remove();
    await restoreClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'running', gameId });
    await services.db.lobby.update({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
    await restoreClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'waiting', gameId: null });
    const log = await readWholeLog(services.redis, lobbyId);
    expect(log.at(-1)).toMatchObject({ type: 'lobby:state', lobby: { status: 'waiting' } });
    await start(lobbyId);
    startWorker();
    await expectEnd(lobbyId);
  });

  it('checks all running lobbies in turn, a bounded number each time, even if one of them is unreadable', async () => {
    const many = 4503;
    // Many lobbies became active at the same moment.
    await services.db.$executeRaw`
      INSERT INTO lobby (code, host_id, capacity, player_count, settings, status, game_id, active_at)
      SELECT 'S' || to_char(number, 'FM00000'), ${hostId()}::uuid, 8, 1, '{"rounds": 1}', 'running',
             gen_random_uuid(), now() + number / 1500 * interval '1 second'
        FROM generate_series(1, ${many}) AS number`;
    const [first] = await listRunning(services.db, null, 1);
    await services.redis.set(matchKey(first?.lobbyId as string), 'not a game');
    const { clock } = services;
    const seen: string[][] = [];
    const findUnscheduled: typeof clock.findUnscheduled = async (games) => {
      seen.push(games.map(({ gameId }) => gameId));
      // The unreadable game alone is restored, since each takes a statement.
      return (await clock.findUnscheduled(games)).filter(({ gameId }) => gameId === first?.gameId);
    };
    const sweep = () => restoreClocks({ ...services, clock: { ...clock, findUnscheduled } });
    for (let count = 1; count <= 4; count++) await sweep();
    expect(seen.map(({ length }) => length)).toEqual([2000, 2000, 503, 2000]);
    expect(new Set(seen.flat()).size).toBe(many);
    await services.db.lobby.deleteMany({ where: { code: { startsWith: 'S' } } });
  });
});
