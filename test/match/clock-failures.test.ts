import type { Job } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { clockRetryDelayMs, RETRY_MS } from '../../src/match/clock/clock.ts';
import { restoreClocks } from '../../src/match/clock/restore-clocks.ts';
import { saveResult } from '../../src/match/finish-match.ts';
import { matchKey } from '../../src/match/keys.ts';
import { type Match, resultOf } from '../../src/match/rules.ts';
import { readMatch } from '../../src/match/store.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { Services } from '../../src/services.ts';
import { TWO_TIMEOUTS, useClockedGames } from '../support/clocked-games.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log-capture.ts';

const { services, hostId, gather, start, startAndCrash, startWorker, lobbyOf, eventsOf, expectNoClock, expectEnd } =
  useClockedGames();

it('a game whose end Redis has lost ends with the stored result', async () => {
  const lobbyId = await gather();
  await start(lobbyId);
  const match = (await readMatch(services.redis, lobbyId)) as Match;
  const { scores, ...rest } = resultOf({ ...match, finishedAtMs: match.deadlineMs });
  const winnerIds = [hostId()];
  const first = { ...rest, winnerIds, scores: scores.map((of) => ({ ...of, score: 7 })) };
  await saveResult(services.postgres, match, first, []);
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
    const gameId = await startAndCrash(lobbyId, 'sql $executeRaw');
    const clock = (await services.clock.find(gameId)) as Job;
    await clock.updateData({ ...clock.data, prepared: { questions: 'none' } });
    const { deps, errors } = captureErrors();
    startWorker(deps);
    await expectNoClock();
    expect(errors()).toEqual(['job failed']);
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

/**
 * Waits for the second question.
 * @returns how often the clock has run by then, read before the log, since the clock is removed after the game
 */
async function attemptsUntilSecondQuestion(lobbyId: string, gameId: string) {
  let attempts: number | undefined;
  await eventually(async () => {
    attempts = (await services.clock.find(gameId))?.attemptsStarted ?? attempts;
    expect((await eventsOf(lobbyId)).length).toBeGreaterThanOrEqual(3);
  });
  return attempts;
}

describe('with a worker whose time is', () => {
  it('a second behind that of the game’s Redis server, a clock runs a few times per round', async () => {
    const lobbyId = await gather(2000);
    const gameId = await start(lobbyId);
    startWorker({ ...services, nowMs: () => services.nowMs() - 1000 });
    // The clock runs at the end of the start, at both deadlines, and once more each time it comes too early
    // or too late.
    expect(await attemptsUntilSecondQuestion(lobbyId, gameId)).toBeLessThanOrEqual(6);
    await expectEnd(lobbyId);
    expect(await eventsOf(lobbyId)).toEqual(TWO_TIMEOUTS);
  });
});
