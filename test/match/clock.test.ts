// Each game has one clock, from just before its start to just after its end, by which it continues and ends without
// any replica. A clock that fails runs again, and the sweep schedules a new one for each game that has lost its own.
// [contract 5.3, 5.5, 5.7]
import type { Job } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { matchKey } from '../../src/lobby/keys.ts';
import { listByActivity } from '../../src/lobby/store.ts';
import { clockRetryDelayMs, RETRY_MS } from '../../src/match/clock/clock.ts';
import { restoreClocks } from '../../src/match/clock/restore-clocks.ts';
import { saveResult } from '../../src/match/finish-match.ts';
import { type Match, resultOf } from '../../src/match/rules.ts';
import { readMatch } from '../../src/match/store.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { Services } from '../../src/services.ts';
import { TWO_TIMEOUTS, useClockedGames, withClockOff } from '../support/clocked-games.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log-capture.ts';

const games = useClockedGames();
const { services, hostId, gather, start, startAndCrash, answerByAll, startWorker } = games;
const { lobbyOf, eventsOf, clocks, expectNoClock, expectEnd } = games;

describe('a running game', () => {
  it('is no longer in its clock once it is open, which its replica does, or else the clock’s first run', async () => {
    const preparedOf = async (gameId: string) => (await services.clock.find(gameId))?.data.prepared;
    const lobbyIds = [await gather(3000), await gather(3000)] as const;
    const crashed = await startAndCrash(lobbyIds[1], 'redis evalsha start-match');
    const opened = await start(lobbyIds[0]);
    await eventually(async () => expect(await preparedOf(opened)).toBeNull());
    expect(await preparedOf(crashed)).toMatchObject({ gameId: crashed });
    startWorker();
    await eventually(async () => expect(await preparedOf(crashed)).toBeNull());
    for (const lobbyId of lobbyIds) await expectEnd(lobbyId);
  });

  it('has exactly one clock, by which alone it continues, round after round, and is stored', async () => {
    const lobbyId = await gather();
    const gameId = await start(lobbyId);
    expect(await clocks()).toBe(1);
    expect(await services.clock.find(gameId)).toMatchObject({ id: gameId });
    startWorker();
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });

  it('ends with its last answer, and then has no clock although no worker runs', async () => {
    const lobbyId = await gather(60_000);
    await start(lobbyId);
    await answerByAll(lobbyId);
    await answerByAll(lobbyId);
    await expectEnd(lobbyId);
  });

  it('has the full time of the next round after a round that ended early', async () => {
    const roundMs = 3000;
    const lobbyId = await gather(roundMs);
    await start(lobbyId);
    startWorker();
    await answerByAll(lobbyId);
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS.with(1, 'game:answer_result 1 all_answered'));
    const log = await readWholeLog(services.redis, lobbyId);
    const [opened, closed] = log.filter(({ round }) => round === 2).map(({ atMs }) => atMs);
    expect((closed as number) - (opened as number)).toBeGreaterThanOrEqual(roundMs);
  });

  it('ends its intermission of 2 s in time even if the replica that ended the round early is ten minutes ahead', async () => {
    const lobbyId = await gather(20_000, 2000);
    const gameId = await start(lobbyId);
    const delayOf = async () => (await services.clock.find(gameId))?.delay;
    const delayMs = await delayOf();
    await withClockOff('ahead', async () => {
      await answerByAll(lobbyId);
      await eventually(async () => expect(await delayOf()).not.toBe(delayMs));
    });
    startWorker();
    await eventually(async () => expect(await eventsOf(lobbyId)).toHaveLength(3));
    await answerByAll(lobbyId);
    await expectEnd(lobbyId);
    const log = await readWholeLog(services.redis, lobbyId);
    const timeOf = (type: string, of: number) =>
      log.find((event) => event.type === type && event.round === of)?.atMs ?? 0;
    const pauseMs = timeOf('game:question', 2) - timeOf('game:answer_result', 1);
    expect(pauseMs).toBeGreaterThanOrEqual(2000);
    expect(pauseMs).toBeLessThan(12_000);
  });
});

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

  it('gives a lobby whose game is lost back to its players, but not while the game may still be opened', async () => {
    const lobbyId = await gather();
    const gameId = await startAndCrash(lobbyId, 'sql UPDATE');
    const sweep = async (activeAt: Date) => {
      await services.db.lobby.update({ where: { id: lobbyId }, data: { activeAt } });
      await restoreClocks(services);
      return lobbyOf(lobbyId);
    };
    // Its clock can still start it.
    expect(await sweep(new Date(0))).toMatchObject({ status: 'running', gameId });
    await (await services.clock.find(gameId))?.remove();
    expect(await sweep(new Date())).toMatchObject({ status: 'running', gameId });
    expect(await sweep(new Date(0))).toMatchObject({ status: 'waiting', gameId: null });
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
    const [first] = await listByActivity(services.db, 'running', { after: undefined, limit: 1 });
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
    // The next turn begins with the first game again.
    await restoreClocks(services);
  });
});

it('a game whose end Redis has lost ends with the stored result', async () => {
  const lobbyId = await gather();
  await start(lobbyId);
  const match = (await readMatch(services.redis, lobbyId)) as Match;
  const { scores, ...rest } = resultOf({ ...match, finishedAtMs: match.deadlineMs });
  const winnerIds = [hostId()];
  const first = { ...rest, winnerIds, scores: scores.map((of) => ({ ...of, score: 7 })) };
  await saveResult(services.postgres, { match, result: first, rounds: [] });
  startWorker();
  await expectEnd(lobbyId);
  expect((await readWholeLog(services.redis, lobbyId)).at(-1)).toMatchObject({
    type: 'game:finished',
    winnerIds,
    scores: first.scores.map(({ userId, name, score }) => ({ userId, name, score })),
  });
});

/** @returns the services with a log of their own, and a function that reads the errors in that log */
function captureErrors(): { deps: Services; errors: () => string[] } {
  const log = captureLog();
  const deps = { ...services, logger: createLogger('error', 'test', log.stream) };
  return { deps, errors: () => log.lines().map(({ msg }) => msg) };
}

describe('a clock that fails', () => {
  it('because its prepared match is unreadable is logged once, and the lobby is given back to its players', async () => {
    const lobbyId = await gather();
    const gameId = await startAndCrash(lobbyId, 'sql UPDATE');
    const clock = (await services.clock.find(gameId)) as Job;
    await clock.updateData({ ...clock.data, prepared: { questions: 'none' } });
    const { deps, errors } = captureErrors();
    startWorker(deps);
    // The job is removed before its failure is logged.
    await eventually(() => expect(errors()).toEqual(['job failed']));
    await expectNoClock();
    await services.db.lobby.update({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
    await restoreClocks(services);
    expect(await lobbyOf(lobbyId)).toMatchObject({ status: 'waiting', gameId: null });
    await start(lobbyId);
    await expectEnd(lobbyId);
  });

  it('because its game can’t be judged is tried again after longer and longer pauses', async () => {
    const lobbyId = await gather();
    await start(lobbyId);
    const settings = (await services.redis.hget(matchKey(lobbyId), 'settings')) as string;
    await services.redis.hset(matchKey(lobbyId), 'settings', 'not JSON');
    const { deps, errors } = captureErrors();
    startWorker(deps);
    await eventually(() => expect(errors().length).toBeGreaterThanOrEqual(2));
    await services.redis.hset(matchKey(lobbyId), 'settings', settings);
    await expectEnd(lobbyId);
  });
});

it('a clock that an outage of a store has ended is tried again soon, however often, and another one after longer pauses', () => {
  expect(clockRetryDelayMs(40, new Error('OOM command not allowed'))).toBe(RETRY_MS);
  const pausesMs = [1, 2, 3, 40].map((attempts) => clockRetryDelayMs(attempts, new Error('a bug')));
  expect(pausesMs).toEqual([500, 1000, 2000, 60_000]);
});

it('with a worker whose time is a second behind that of the game’s Redis server, a clock runs a few times per round', async () => {
  const lobbyId = await gather(2000);
  const gameId = await start(lobbyId);
  startWorker({ ...services, nowMs: () => services.nowMs() - 1000 });
  let attempts: number | undefined;
  await eventually(async () => {
    // It is read before the log, since the clock is removed after the game.
    attempts = (await services.clock.find(gameId))?.attemptsStarted ?? attempts;
    expect((await eventsOf(lobbyId)).length).toBeGreaterThanOrEqual(3);
  });
  // The clock runs at the end of the start, at both deadlines, and once more each time it comes too early or too late.
  expect(attempts).toBeLessThanOrEqual(6);
  await expectEnd(lobbyId);
  expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
});
