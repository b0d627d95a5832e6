// The clocks of the games are jobs in several queues, which workers consume. [contract 5.5]
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { type Clock, clockPlaces, createClock } from '../../src/match/clock/clock.ts';
import type { PreparedMatch } from '../../src/match/prepared-match.ts';
import { createWorker, openJobSource, type QueuePlace } from '../../src/platform/queues/queue.ts';
import type { Services } from '../../src/services.ts';
import { startJobs } from '../../worker/jobs.ts';
import { countClocks, removeClocks, startRunningClocks } from '../support/clocks.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';

const { service } = useService();

const QUEUES = 4;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  await removeClocks(servicesOf(QUEUES));
  await service.services.redis.flushall();
});

/** @returns the services of a process with `clockQueues` queues of clocks */
function servicesOf(clockQueues: number): Services {
  return { ...service.services, config: { ...service.services.config, clockQueues } };
}

function clockOf(queueCount: number): Clock {
  const clock = createClock(service.services, queueCount);
  cleanups.push(() => clock.close());
  return clock;
}

function startWorker(queueCount: number): void {
  const worker = startRunningClocks(servicesOf(queueCount));
  cleanups.push(() => worker.close());
}

/** A match that never won its start, so that its clock ends at once. */
function lostMatch(): PreparedMatch {
  const settings = { ...LOBBY_EXAMPLE.settings, roundMs: 200 };
  const nobody = { questions: [], playerIds: [], isCompact: false };
  return { lobbyId: randomUUID(), gameId: randomUUID(), code: 'ABCDEF', durationMs: 200, settings, ...nobody };
}

async function scheduleMany(clock: Clock, count: number): Promise<PreparedMatch[]> {
  const matches = Array.from({ length: count }, lostMatch);
  await Promise.all(matches.map((match) => clock.schedule(match)));
  return matches;
}

const expectNoClock = (queueCount = QUEUES) =>
  eventually(async () => expect(new Set(await countClocks(servicesOf(queueCount)))).toEqual(new Set([0])));

describe('the clocks of the games', () => {
  it('are spread over all queues, each of which has a hash tag of its own, and run in each', async () => {
    await scheduleMany(clockOf(QUEUES), 200);
    expect(Math.min(...(await countClocks(servicesOf(QUEUES))))).toBeGreaterThan(0);
    expect(new Set(clockPlaces(QUEUES).map(({ prefix }) => prefix)).size).toBe(QUEUES);
    startWorker(QUEUES);
    await expectNoClock();
  });

  it('are unscheduled if they are in a queue that is no longer used, and scheduled in any other', async () => {
    const matches = await scheduleMany(clockOf(QUEUES), 40);
    expect(await clockOf(QUEUES).findUnscheduled(matches)).toEqual([]);
    const inUse = clockOf(1);
    const unscheduled = await inUse.findUnscheduled(matches);
    expect(unscheduled.length).toBe(40 - ((await countClocks(servicesOf(1)))[0] as number));
    for (const match of unscheduled) await inUse.restore(match);
    expect(await inUse.findUnscheduled(matches)).toEqual([]);
  });
});

/** A worker takes the job and loses its connection. */
async function takeAndDisconnect(): Promise<void> {
  const source = openJobSource(service.services);
  const [place] = clockPlaces(1);
  const taken = Promise.withResolvers<void>();
  const never = Promise.withResolvers<void>();
  const worker = createWorker(source, place as QueuePlace, 1, () => {
    taken.resolve();
    return never.promise;
  });
  await taken.promise;
  await source.close();
  await worker.close();
}

it('a clock runs again within seconds, however often its worker dies meanwhile', async () => {
  await scheduleMany(clockOf(1), 1);
  for (let death = 1; death <= 2; death++) {
    const startedAt = performance.now();
    await takeAndDisconnect();
    // A lock expires and a look for stalled jobs follows: a busy machine needs longer than the sum of both.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  }
  startWorker(1);
  await expectNoClock(1);
});

/**
 * Leaves out the indexes of pending quizzes, all of which the worker reads in one pipeline every two seconds.
 * @returns the commands per second of all connections to this file's Redis
 */
async function commandsASecond(): Promise<number> {
  const send = vi.spyOn(Redis.prototype, 'sendCommand');
  const startedAt = performance.now();
  await sleep(2000);
  const { port } = new URL(service.config.redis.url);
  const sent = send.mock.calls.filter(
    ([{ name }], at) => name !== 'zrange' && `${(send.mock.contexts[at] as Redis).options.port}` === port,
  );
  send.mockRestore();
  return sent.length / ((performance.now() - startedAt) / 1000);
}

/** @returns the ids of the connections that wait for jobs */
async function waitingConnections(): Promise<string[]> {
  const list = (await service.services.redis.client('LIST')) as string;
  return list.split('\n').flatMap((line) => /^id=(\d+) .* cmd=bzpopmin /.exec(line)?.[1] ?? []);
}

it('an idle worker sends Redis a few commands a second, and does not reconnect', async () => {
  await scheduleMany(service.services.clock, 100);
  const jobs = startJobs(service.services);
  cleanups.push(() => jobs.close());
  await expectNoClock(1);
  // The clocks, both mail queues and the chores each have a connection; one of them may be between two waits.
  const before = await eventually(async () => {
    const connections = await waitingConnections();
    expect(connections.length).toBeGreaterThanOrEqual(3);
    return connections;
  });
  await eventually(async () => expect(await commandsASecond()).toBeLessThan(25));
  const after = new Set([...before, ...(await waitingConnections())]);
  expect(after.size).toBeLessThanOrEqual(4);
});
