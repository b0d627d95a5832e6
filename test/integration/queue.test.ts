// The queues' times: a game's clock is a delayed job.
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import type { JobHandler } from '../../src/platform/queue.ts';
import { createQueue, sharedPlace } from '../../src/platform/queue.ts';
import { consume, openJobSource } from '../../worker/consume.ts';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

interface Due {
  dueAtMs: number;
}

let stores: TestStores;
let proxy: TcpProxy;
let service: TestService;
beforeAll(async () => {
  stores = await startStores();
  const { hostname, port } = new URL(stores.redisUrl);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  service = await startService({ ...stores, redisUrl: proxy.url('redis') });
});
afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await stores.stop();
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A queue with one worker. @returns what makes a job due in so many ms, and how late each was */
function delays(name: string) {
  const { services } = service;
  const queue = createQueue<Due>(sharedPlace(name), services);
  const latenessesMs: number[] = [];
  const source = openJobSource(services);
  const consumer = consume<Due>(source, sharedPlace(name), 1, async ({ data }) => {
    latenessesMs.push(Date.now() - data.dueAtMs);
  });
  ends.push(async () => {
    await consumer.close();
    await source.close();
    await queue.close();
  });
  return {
    // The sending connection may have lost its other end too; what it sends twice is one job.
    async add(delay: number) {
      const jobId = randomUUID();
      await eventually(() => queue.add('due', { dueAtMs: Date.now() + delay }, { delay, jobId }));
    },
    latenessesMs,
  };
}

describe('a delayed job on an otherwise silent queue', () => {
  it('is done in its time, not a second later', async () => {
    const { add, latenessesMs } = delays('late');
    const isInTime = (latenessMs: number) => latenessMs < 150;
    // The best of a few, since the machine may be busy: one that is in time is proof enough.
    for (let count = 1; count <= 20 && !latenessesMs.some(isInTime); count++) {
      await sleep(100);
      await add(400);
      await eventually(() => expect(latenessesMs).toHaveLength(count));
    }
    expect(latenessesMs.filter(isInTime)).toHaveLength(1);
  });

  it.each([
    ['its connection was cut', 2500, async () => proxy.cut()],
    // Silence is noticed only after a while.
    ['the other end of its connection lost its power', 9000, async () => proxy.forsake()],
    [
      'Redis was killed',
      2500,
      async () => {
        await stores.redis.kill();
        await stores.redis.start();
      },
    ],
  ])('is so although %s while its worker waited', async (_what, latestMs, breakIt) => {
    const { add, latenessesMs } = delays('broken');
    await add(4000);
    await sleep(3000);
    await breakIt();
    await eventually(() => expect(latenessesMs).toHaveLength(1), { timeoutMs: 15_000 });
    // A wait that began anew with its whole length would be late by 3 s; one on a dead connection, for ever.
    expect(latenessesMs[0]).toBeLessThan(latestMs);
  });
});

it('a job is done at once, though who adds it is ten minutes ahead', async () => {
  const { add, latenessesMs } = delays('ahead');
  // By now the worker has asked for jobs, and waits for a sign of one.
  await add(0);
  await eventually(() => expect(latenessesMs).toHaveLength(1));
  const now = Date.now.bind(Date);
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  await add(0).finally(() => ahead.mockRestore());
  await eventually(() => expect(latenessesMs).toHaveLength(2));
});

describe.each([
  ['ahead', 600_000],
  ['behind', -600_000],
])('a worker whose clock is ten minutes %s', (which, wrongMs) => {
  const trueNow = Date.now;
  afterEach(() => vi.restoreAllMocks());
  const mistake = () => vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + wrongMs);

  function startWorker(name: string, handle: JobHandler<unknown>): () => Promise<void> {
    const source = openJobSource(service.services);
    const consumer = consume(source, sharedPlace(name), 1, handle);
    return async () => {
      await consumer.close();
      await source.close();
    };
  }
  function openQueue(name: string) {
    const queue = createQueue(sharedPlace(name), service.services);
    ends.push(() => queue.close());
    return queue;
  }

  it('does a delayed job in its time', async () => {
    const queue = openQueue(`own-${which}`);
    const done = Promise.withResolvers<number>();
    mistake();
    const stop = startWorker(`own-${which}`, async () => done.resolve(trueNow()));
    const dueMs = trueNow() + 1000;
    await queue.add('due', {}, { delay: 1000, timestamp: trueNow() });
    expect(Math.abs((await done.promise) - dueMs)).toBeLessThan(10_000);
    await stop();
  });

  it('delays a job to the same moment for others, who do it when that one has died', async () => {
    const name = `left-${which}`;
    const queue = openQueue(name);
    const put = Promise.withResolvers<number>();
    mistake();
    const die = startWorker(name, async (job, token) => {
      await job.moveToDelayed(Date.now() + 3000, token);
      put.resolve(trueNow());
      throw new DelayedError();
    });
    await queue.add('due', {});
    const dueMs = (await put.promise) + 3000;
    await die();
    vi.restoreAllMocks();
    const doneMs: number[] = [];
    ends.push(startWorker(name, async () => void doneMs.push(trueNow())));
    await eventually(() => expect(doneMs).toHaveLength(1), { timeoutMs: 20_000 });
    expect(doneMs[0]).toBeGreaterThan(dueMs - 1000);
  });

  it('leaves a chore to others at the time when it is due', async () => {
    const name = `chore-${which}`;
    const queue = openQueue(name);
    const first = Promise.withResolvers<void>();
    mistake();
    const die = startWorker(name, async () => first.resolve());
    await queue.upsertJobScheduler('chore', { every: 1000 }, { name: 'chore' });
    await first.promise;
    await die();
    vi.restoreAllMocks();
    const doneMs: number[] = [];
    ends.push(startWorker(name, async () => void doneMs.push(trueNow())));
    await eventually(() => expect(doneMs.length).toBeGreaterThan(1), { timeoutMs: 20_000 });
    await queue.removeJobScheduler('chore');
  });
});

it('[contract 17] a job that an outage has ended is counted, one that a bug has ended is told of', async () => {
  const { config, redis, nowMs } = service.services;
  const words: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) words.push(JSON.parse(line).msg);
      done();
    },
  });
  const logger = createLogger('info', 'test', log);
  const source = openJobSource({ config, logger, nowMs });
  const place = sharedPlace('failing');
  const queue = createQueue<{ code: string }>(place, { redis, logger, nowMs });
  const consumer = consume<{ code: string }>(source, place, 1, async ({ data }) => {
    throw Object.assign(new Error('as the server says'), data);
  });
  ends.push(async () => {
    await consumer.close();
    await source.close();
    await queue.close();
  });
  await queue.add('one', { code: '57P01' });
  await queue.add('two', { code: '23514' });
  await eventually(() => expect(words).toContain('a store was away'), { timeoutMs: 15_000 });
  await eventually(() => expect(words).toContain('job failed'));
  expect(words.filter((word) => word === 'job failed')).toHaveLength(1);
});
