// Delayed jobs run on time, since the clock of a game is one.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger, type Logger } from '../../src/platform/observability/logger.ts';
import { createQueue, createWorker, openJobSource, sharedPlace } from '../../src/platform/queues/queue.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log-capture.ts';
import { useProxiedService } from '../support/service.ts';

const { stores, redis: proxy, service } = useProxiedService();

function createWorkedQueue<T>(name: string, log: Logger, work: (job: Job<T>) => Promise<void>) {
  const { config, queueRedis } = service.services;
  const queue = createQueue<T>(sharedPlace(name), { queueRedis, logger: log });
  const source = openJobSource({ config, logger: log });
  const consumer = createWorker<T>(source, sharedPlace(name), 1, work);
  onTestFinished(async () => {
    await consumer.close();
    await source.close();
    await queue.close();
  });
  return queue;
}

/** @returns a function that adds a job to a queue with one worker, and how late and when each job has run */
function createTimedQueue(name: string) {
  const latenessesMs: number[] = [];
  const ranAtMs: number[] = [];
  const queue = createWorkedQueue<{ dueAtMs: number }>(name, service.services.logger, async ({ data }) => {
    const nowMs = Date.now();
    latenessesMs.push(nowMs - data.dueAtMs);
    ranAtMs.push(nowMs);
  });
  return {
    // The producer's connection may be broken too. BullMQ ignores a retry, whose job has the same id.
    async add(delay: number) {
      const jobId = randomUUID();
      await eventually(() => queue.add('due', { dueAtMs: Date.now() + delay }, { delay, jobId }));
    },
    latenessesMs,
    ranAtMs,
  };
}

describe('a delayed job of an idle queue', () => {
  it('runs within 150 ms of its due time', async () => {
    const { add, latenessesMs } = createTimedQueue('late');
    const isInTime = (latenessMs: number) => latenessMs < 150;
    // A busy machine may delay a job, so that the test repeats until one runs in time.
    for (let count = 1; count <= 20 && !latenessesMs.some(isInTime); count++) {
      await sleep(100);
      await add(400);
      await eventually(() => expect(latenessesMs).toHaveLength(count));
    }
    expect(latenessesMs.filter(isInTime)).toHaveLength(1);
  });

  it.each([
    // The worker detects a silent connection only after 12 s.
    ['the other end of its connection lost its power', 20_000, async () => proxy.blackhole()],
    ['Redis was killed', 2500, () => stores.redis.kill().then(stores.redis.start)],
  ])('runs soon although %s while its worker waited', async (_what, latestMs, breakConnection) => {
    const { add, latenessesMs, ranAtMs } = createTimedQueue('broken');
    await add(6000);
    await sleep(5000);
    await breakConnection();
    const restoredAtMs = Date.now();
    await eventually(() => expect(latenessesMs).toHaveLength(1), { timeoutMs: 30_000 });
    // A worker that repeated its whole wait would be 5 s late, or more. On a dead connection it would wait for ever.
    // Redis may start only after the job was due, which is no lateness of the worker.
    const latenessMs = Math.min(latenessesMs[0] as number, (ranAtMs[0] as number) - restoredAtMs);
    expect(latenessMs).toBeLessThan(latestMs);
  });
});

it('a job runs at once although the clock of the process that adds it is ten minutes ahead', async () => {
  const { add, latenessesMs } = createTimedQueue('ahead');
  // After this job the worker blocks until the next one is added.
  await add(0);
  await eventually(() => expect(latenessesMs).toHaveLength(1));
  const now = Date.now.bind(Date);
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  await add(0).finally(() => ahead.mockRestore());
  await eventually(() => expect(latenessesMs).toHaveLength(2));
});

it('a worker continues soon after Redis has refused its commands, rather than after BullMQ’s pause of 15 s', async () => {
  const { add, latenessesMs } = createTimedQueue('refused');
  const { redis } = service.services;
  await add(0);
  await eventually(() => expect(latenessesMs).toHaveLength(1));
  await add(1000);
  await redis.config('SET', 'maxmemory', '1');
  await sleep(3000);
  await redis.config('SET', 'maxmemory', '0');
  await eventually(() => expect(latenessesMs).toHaveLength(2), { timeoutMs: 15_000 });
  expect(latenessesMs[1]).toBeLessThan(10_000);
});

it('[contract 17] a job that fails by an outage is counted, and one that fails by a bug is logged', async () => {
  const log = captureLog();
  const failures = () => log.lines().filter(({ msg }) => msg === 'job failed');
  const logger = createLogger('info', 'test', log.stream);
  const queue = createWorkedQueue<{ code: string }>('failing', logger, async ({ data }) => {
    throw Object.assign(new Error('refused by PostgreSQL'), data);
  });
  await queue.add('one', { code: '57P01' });
  await queue.add('two', { code: '23514' });
  await expect.poll(failures).toHaveLength(1);
});
