// METRICS_PORT serves the state of the stores, queues and running games, above all during an outage of a
// store. [contract 7]
import { randomUUID } from 'node:crypto';
import { DelayedError, type Job } from 'bullmq';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAIL_QUEUE } from '../../src/auth/mail/mail-queue.ts';
import { type MetricsServer, startMetricsServer } from '../../src/http/metrics-server.ts';
import { clockPlaces } from '../../src/match/clock/clock.ts';
import {
  type Consumer,
  createQueue,
  createWorker,
  openJobSource,
  type QueuePlace,
} from '../../src/platform/queues/queue.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { measure } from '../../worker/measure.ts';
import { eventually } from '../support/eventually.ts';
import { samplesIn } from '../support/metrics.ts';
import { useProxiedService } from '../support/service.ts';
import { connectForTest } from '../support/sql.ts';
import { createSignedInUser } from '../support/users.ts';

const { stores, postgres, redis, service } = useProxiedService();
let measuring: Consumer;
let metrics: MetricsServer;

beforeAll(async () => {
  const { services } = service;
  measuring = measure({ ...services, config: { ...services.config, clockQueues: 2 } });
  const options = { port: await freePort(), host: '127.0.0.1' };
  metrics = (await startMetricsServer(options, service.services)) as MetricsServer;
});
beforeEach(async () => {
  await postgres.unblock();
  await redis.unblock();
  await expectSamples({ 'quiz_store_up{store="postgres"}': 1, 'quiz_store_up{store="redis"}': 1 });
});
afterAll(async () => {
  await metrics.close();
  await measuring.close();
});

const get = (path: string) => fetch(`http://127.0.0.1:${metrics.port}${path}`);

async function samples(): Promise<Record<string, number>> {
  const response = await get('/metrics');
  expect(response.status).toBe(200);
  return samplesIn(await response.text());
}

/** A busy machine may leave a metric out once, since it could not be read in time. */
function expectSamples(expected: Record<string, number>): Promise<void> {
  return eventually(async () => expect(await samples()).toMatchObject(expected));
}

test('METRICS_PORT also serves liveness and readiness, and no other path', async () => {
  for (const path of ['/live', '/ready']) expect((await get(path)).status).toBe(200);
  for (const path of ['/', '/api/health']) expect((await get(path)).status).toBe(404);
});

test('a store that is away is reported within seconds, and the metrics are still served', async () => {
  await postgres.block();
  await expectSamples({ 'quiz_store_up{store="postgres"}': 0, 'quiz_store_up{store="redis"}': 1 });
  await redis.block();
  await expectSamples({ 'quiz_store_up{store="postgres"}': 0, 'quiz_store_up{store="redis"}': 0 });
});

test('a metric that can’t be read is left out rather than reported as zero or with its last value', async () => {
  await eventually(async () => expect(await samples()).toHaveProperty('quiz_running_games'));
  await postgres.block();
  await redis.block();
  const read = await samples();
  expect(read).not.toHaveProperty('quiz_running_games');
  // A check of Redis' settings, which another file of this process has made, stays valid.
  const stale = Object.keys(read).filter((name) => /^quiz_(queue|redis)_(?!evicts$)/.test(name));
  expect(stale).toEqual([]);
});

test('running games are counted by their clocks', async () => {
  const { clock } = service.services;
  const game = { lobbyId: randomUUID(), gameId: randomUUID() };
  await expectSamples({ quiz_running_games: 0 });
  await clock.restore(game);
  await expectSamples({ quiz_running_games: 1 });
  await (await clock.find(game.gameId))?.remove();
});

test('jobs are counted by queue and state, the clock queues as one, and the lag is that of the most overdue job', async () => {
  const { services } = service;
  const [first, second] = clockPlaces(2).map((place) => createQueue(place, services));
  const mails = createQueue(MAIL_QUEUE, services);
  await expectSamples({ 'quiz_queue_lag_seconds{queue="clock"}': 0 });
  await first?.add('tick', {}, { delay: 60_000 });
  await second?.add('tick', {}, { delay: 1 });
  await mails.add('verification', {}, { delay: 60_000 });
  await eventually(async () => {
    const read = await samples();
    expect(read).toMatchObject({
      'quiz_queue_jobs{queue="clock",state="delayed"}': 2,
      'quiz_queue_jobs{queue="clock",state="waiting"}': 0,
      'quiz_queue_jobs{queue="mail",state="delayed"}': 1,
      'quiz_queue_lag_seconds{queue="mail"}': 0,
    });
    const lag = read['quiz_queue_lag_seconds{queue="clock"}'];
    expect(lag).toBeGreaterThan(0.2);
    expect(lag).toBeLessThan(40);
  });
  for (const queue of [first, second, mails]) {
    await queue?.obliterate();
    await queue?.close();
  }
});

test.each([
  ['mails that are due for the first time', MAIL_QUEUE, false],
  ['clocks that are due again', clockPlaces(1)[0] as QueuePlace, true],
])('the lag includes %s and wait because their worker is busy', async (_what, place, isDelayed) => {
  const source = openJobSource(service.services);
  const queue = createQueue(place, service.services);
  const done = Promise.withResolvers<void>();
  let taken = 0;
  let laterMs = 0;
  const worker = createWorker(source, place, 1, async (job: Job, token) => {
    taken += 1;
    if (isDelayed && taken <= 3) {
      laterMs ||= Date.now() + 1000;
      await job.updateData({ dueMs: laterMs });
      await job.moveToDelayed(laterMs, token);
      throw new DelayedError();
    }
    await done.promise;
  });
  const label = `queue="${place.name}"`;
  try {
    // The jobs are created long before they are due, since the lag must not count the age of a job.
    const timestamp = Date.now() - 600_000;
    for (const jobId of ['a', 'b', 'c']) await queue.add('job', {}, { jobId, timestamp, delay: 600_500 });
    await eventually(async () => {
      const read = await samples();
      const jobs = (state: string) => read[`quiz_queue_jobs{${label},state="${state}"}`] ?? 0;
      // BullMQ may not have promoted a job that became due a millisecond after the worker was full.
      expect([jobs('active'), jobs('waiting') + jobs('delayed')]).toEqual([1, 2]);
      const lag = read[`quiz_queue_lag_seconds{${label}}`];
      expect(lag).toBeGreaterThan(0.2);
      expect(lag).toBeLessThan(60);
    });
  } finally {
    done.resolve();
    await eventually(async () => expect(await queue.getJobCounts()).toMatchObject({ active: 0, waiting: 0 }));
    await worker.close();
    await source.close();
    await queue.close();
  }
});

test('the memory, replicas and append-only file of Redis are measured', async () => {
  const read = await samples();
  const node = `127.0.0.1:${redis.port}`;
  expect(read[`quiz_redis_memory_bytes{node="${node}",kind="used"}`]).toBeGreaterThan(100_000);
  expect(read).not.toHaveProperty([`quiz_redis_memory_bytes{node="${node}",kind="limit"}`]);
  expect(read).toHaveProperty([`quiz_redis_replicas{node="${node}"}`], 0);

  await service.services.redis.config('SET', 'maxmemory', '100mb');
  await service.services.redis.config('SET', 'appendonly', 'yes');
  await expectSamples({
    [`quiz_redis_memory_bytes{node="${node}",kind="limit"}`]: 100 * 1024 * 1024,
    [`quiz_redis_append_ok{node="${node}"}`]: 1,
  });
});

test('the connections and the disk of PostgreSQL are measured', async () => {
  // A measurement that takes longer than a scrape may wait is in a later one.
  const read = await eventually(async () => {
    const values = await samples();
    expect(values.quiz_postgres_backends).toBeGreaterThan(0);
    return values;
  });
  expect(read.quiz_postgres_backends_limit).toBeGreaterThan(read.quiz_postgres_backends ?? 0);
  expect(read.quiz_postgres_bytes).toBeGreaterThan(1_000_000);
});

test('the time for which a session blocks others is measured although each blocked statement is soon cancelled', async () => {
  const { db } = service.services;
  const holder = await connectForTest(stores.databaseUrl);
  await holder.query('BEGIN; LOCK TABLE lobby');
  let isLocked = true;
  const blocked = (async () => {
    while (isLocked) await db.lobby.count().catch(() => 0);
  })();
  await eventually(async () => expect((await samples()).quiz_postgres_blocked_seconds).toBeGreaterThan(2));
  isLocked = false;
  await holder.query('ROLLBACK');
  await blocked;
});

test('reads of sessions are counted by the store that answered', async () => {
  const { cookie } = await createSignedInUser(service.services);
  const before = await samples();
  await service.services.userSessions.findUser({ cookie });
  await service.services.userSessions.findUser({ cookie });
  const after = await samples();
  const difference = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  const hits = difference('quiz_session_reads_total{result="hit"}');
  expect(hits).toBeGreaterThanOrEqual(1);
  expect(hits + difference('quiz_session_reads_total{result="reload"}')).toBe(2);
});
