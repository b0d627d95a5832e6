// Each game has one clock, from just before its start to just after its end, by which it continues and ends without
// any replica. [contract 5.3, 5.5, 5.7]
import { describe, expect, it } from 'vitest';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { TWO_TIMEOUTS, useClockedGames, withClockOff } from '../support/clocked-games.ts';
import { eventually } from '../support/eventually.ts';

const { services, gather, start, startAndCrash, answerByAll, startWorker, eventsOf, clocks, expectEnd } =
  useClockedGames();

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
