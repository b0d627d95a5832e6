// The clocks of the games lie in many queues, whose number may change while games run. [contract 5.5]
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { type Clock, type ClockJob, createClock } from '../../src/match/clock.ts';
import { putOff, type TakenClock, takeUp } from '../../src/match/clock-store.ts';
import type { MatchPlan } from '../../src/match/plan.ts';
import { createQueue, sharedPlace } from '../../src/platform/queue.ts';
import { lookAt, type QueuePlace } from '../../src/platform/queue-look.ts';
import { openJobSource } from '../../worker/consume.ts';
import { startJobs } from '../../worker/jobs.ts';
import { serveClocks } from '../../worker/serve-clocks.ts';
import { sweepClocks } from '../../worker/sweep-clocks.ts';
import { removeClocks } from '../support/clocks.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await removeClocks(service.services);
  await service.services.redis.flushall();
});

/** The clocks as a process sees them that uses so many queues. */
function clockOf(queueCount: number): Clock {
  const clock = createClock(service.services, queueCount);
  ends.push(() => clock.close());
  return clock;
}

function startWorker(queueCount: number): void {
  const source = openJobSource(service.services);
  ends.push(() => source.close());
  const worker = serveClocks({ ...service.services, clock: clockOf(queueCount) }, source);
  ends.push(() => worker.close());
}

/** The plan of a game that never won its start, so that its clock has nothing to do but to end. */
function lostPlan(durationMs = 200): MatchPlan {
  return {
    ...{ lobbyId: randomUUID(), gameId: randomUUID(), code: 'ABCDEF', durationMs },
    ...{
      settings: { ...CreateLobbyRequest.parse({}).settings, roundMs: durationMs },
      questions: [],
      players: [],
    },
  };
}

async function windMany(clock: Clock, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => clock.wind(lostPlan())));
}

/** How many clocks are where. */
async function spread(clock: Clock): Promise<Map<QueuePlace, number>> {
  const states = await lookAt(service.services.redis, await clock.places());
  return new Map(
    [...states].map(([place, { active, delayed, waiting }]) => [place, active + delayed + waiting]),
  );
}

const expectNoClock = (clock: Clock) =>
  eventually(async () => expect(new Set((await spread(clock)).values())).toEqual(new Set([0])));

describe('the clocks of the games', () => {
  it('spread over all queues, each with a hash tag of its own', async () => {
    const clock = clockOf(16);
    await windMany(clock, 400);
    const [former, ...counts] = [...(await spread(clock)).values()].toReversed();
    expect(former).toBe(0);
    expect(counts).toHaveLength(16);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(new Set((await clock.places()).map(({ prefix }) => prefix)).size).toBe(17);
  });

  it('fire in queues that a process began to use after the workers had started', async () => {
    startWorker(2);
    await windMany(clockOf(2), 10);
    const grown = clockOf(9);
    await windMany(grown, 40);
    await expectNoClock(grown);
  });

  it('fire in queues that no process uses any more', async () => {
    const former = clockOf(9);
    await windMany(former, 40);
    startWorker(1);
    await expectNoClock(former);
  });

  it('fire in the one queue that former releases used', async () => {
    const queue = createQueue<ClockJob>(sharedPlace('clock'), service.services);
    ends.push(() => queue.close());
    const { lobbyId, gameId } = lostPlan();
    await queue.add('tick', { lobbyId, gameId, plan: null }, { jobId: gameId, delay: 200 });
    startWorker(16);
    await expectNoClock(clockOf(16));
  });

  it('are found wherever they lie: no game gets a second one', async () => {
    const plans = Array.from({ length: 20 }, () => lostPlan(60_000));
    const old = clockOf(5);
    for (const plan of plans) await old.wind(plan);
    const queue = createQueue<ClockJob>(sharedPlace('clock'), service.services);
    ends.push(() => queue.close());
    const { lobbyId, gameId } = lostPlan();
    await queue.add('tick', { lobbyId, gameId, plan: null }, { jobId: gameId, delay: 60_000 });
    const now = clockOf(16);
    for (const game of [...plans, { lobbyId, gameId }]) {
      expect(await now.rewind(game)).toBe(false);
      expect(await now.find(game.gameId)).toMatchObject({ id: game.gameId });
    }
    expect(await now.rewind({ lobbyId, gameId: randomUUID() })).toBe(true);
  });
});

describe('a clock that is due', () => {
  const place = sharedPlace('clock');
  const take = () => takeUp(service.services.redis, place, 20);
  const later = (ms: number) => service.services.nowMs() + ms;

  /** Those that are due, in a queue of their own. */
  async function windDue(count: number): Promise<ReturnType<typeof lostPlan>[]> {
    const queue = createQueue<ClockJob>(place, service.services);
    ends.push(() => queue.close());
    const plans = Array.from({ length: count }, () => lostPlan());
    for (const { lobbyId, gameId } of plans)
      await queue.add('tick', { lobbyId, gameId, plan: null }, { jobId: gameId, delay: 1 });
    await eventually(async () => {
      const { dueMs } = (await lookAt(service.services.redis, [place])).get(place) ?? {};
      expect(dueMs).toBeLessThan(service.services.nowMs());
    });
    return plans;
  }

  it('is taken up by one of many workers that look at once', async () => {
    const plans = await windDue(50);
    const taken = (await Promise.all(Array.from({ length: 8 }, take))).flatMap(
      ({ taken }) => taken,
    );
    const ids = taken.map(({ gameId }) => gameId);
    expect(ids.toSorted()).toEqual(plans.map(({ gameId }) => gameId).toSorted());
  });

  it('fires again when who has taken it up dies', async () => {
    await windDue(1);
    expect((await take()).taken).toHaveLength(1);
    startWorker(1);
    await expectNoClock(clockOf(1));
  });

  it('and is hastened while somebody holds it keeps the earlier deadline', async () => {
    await windDue(1);
    const [taken] = (await take()).taken as [TakenClock];
    clockOf(1).hasten(taken.gameId, later(30_000));
    const { redis } = service.services;
    await eventually(async () => expect((await take()).nextMs).toBeGreaterThan(later(20_000)));
    await putOff(redis, taken, later(60_000));
    expect((await take()).nextMs).toBeLessThan(later(30_000));
  });

  /** Takes one up as a worker of the release before does, and dies when told to. */
  async function takeAsBefore(): Promise<() => Promise<void>> {
    const begun = Promise.withResolvers<string>();
    const { name, prefix } = place;
    const { connection, close } = openJobSource(service.services);
    ends.push(close);
    const worker = new Worker(
      name,
      ({ id }) => {
        begun.resolve(id as string);
        return new Promise<void>(() => {});
      },
      { connection, prefix, lockDuration: 10_000, skipStalledCheck: true },
    );
    const gameId = await begun.promise;
    return async () => {
      await worker.close(true);
      await service.services.redis.del(`${prefix}:${name}:${gameId}:lock`);
    };
  }

  it('is left to a worker of the release before that holds it, and wound anew when that has died', async () => {
    const [game] = (await windDue(1)) as [MatchPlan];
    const die = await takeAsBefore();
    const clock = clockOf(1);
    expect(await clock.rewind(game)).toBe(false);
    await die();
    expect(await clock.rewind(game)).toBe(true);
    startWorker(1);
    await expectNoClock(clock);
  });

  it('and was left behind by a worker of the release before fires, though its game is over', async () => {
    await windDue(3);
    const die = await takeAsBefore();
    const clock = clockOf(1);
    const sweep = () => sweepClocks({ ...service.services, clock });
    const state = async () => (await lookAt(service.services.redis, [place])).get(place);
    expect(await state()).toMatchObject({ active: 1, waiting: 2, delayed: 0 });
    await sweep();
    expect(await state()).toMatchObject({ active: 1, waiting: 0, delayed: 2 });
    await die();
    await sweep();
    expect(await state()).toMatchObject({ active: 0, waiting: 0, delayed: 3 });
    startWorker(1);
    await expectNoClock(clock);
  });
});

/** Which connections send how many commands a second. */
async function commandsASecond(): Promise<number[]> {
  const sent = new Map<Redis, number>();
  const send = vi.spyOn(Redis.prototype, 'sendCommand');
  const startedAt = performance.now();
  await sleep(2000);
  for (const connection of send.mock.contexts)
    sent.set(connection as Redis, (sent.get(connection as Redis) ?? 0) + 1);
  send.mockRestore();
  const seconds = (performance.now() - startedAt) / 1000;
  return [...sent.values()].map((count) => count / seconds);
}

it('a worker that has nothing to do sends Redis a few commands a second over one connection, however many queues there are', async () => {
  const clock = clockOf(64);
  await windMany(clock, 100);
  const jobs = startJobs(service.services);
  ends.push(() => jobs.close());
  await expectNoClock(clock);
  await eventually(async () => {
    const rates = await commandsASecond();

    expect(rates.reduce((sum, rate) => sum + rate)).toBeLessThan(25);
  });
});
