// The sweep schedules a new clock for each game that has lost its own. [contract 5.5]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { restoreClocks } from '../../src/match/clock/restore-clocks.ts';
import { matchKey } from '../../src/match/keys.ts';
import { chunksOf } from '../../src/platform/redis/scripts.ts';
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
    const settings = { rounds: 1 };
    const many = 4503;
    const startMs = Date.now() + 60_000;
    const lobbies = Array.from({ length: many }, (_, index) => ({
      id: randomUUID(),
      code: `S${String(index).padStart(5, '0')}`,
      hostId: hostId(),
      capacity: 8,
      playerCount: 1,
      settings,
      status: 'running' as const,
      gameId: randomUUID(),
      // Many lobbies became active at the same moment, and none so long ago that its game may be given up.
      activeAt: new Date(startMs + Math.floor(index / 1500)),
    }));
    // One statement for all would take longer than the service waits for a statement on a busy machine.
    for (const data of chunksOf(lobbies, 500)) await services.db.lobby.createMany({ data });
    await services.redis.set(matchKey(lobbies[0]?.id as string), 'not a game');
    const { clock } = services;
    const seen: string[][] = [];
    const findUnscheduled: typeof clock.findUnscheduled = (games) => {
      seen.push(games.map(({ gameId }) => gameId));
      return clock.findUnscheduled(games);
    };
    const sweep = () => restoreClocks({ ...services, clock: { ...clock, findUnscheduled } });
    for (let count = 1; count <= 4; count++) await sweep();
    expect(seen.map(({ length }) => length)).toEqual([2000, 2000, 503, 2000]);
    expect(new Set(seen.flat()).size).toBe(many);
    await services.db.lobby.deleteMany({ where: { code: { startsWith: 'S' } } });
  });
});
