// What an operator reads on METRICS_PORT: the stores as this process sees them, the queues, the
// running games; also, and above all, while a store is away. [contract 7]
import { randomUUID } from 'node:crypto';
import { DelayedError, type Job } from 'bullmq';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAIL_QUEUE } from '../../src/auth/mail-queue.ts';
import { type MetricsServer, startMetricsServer } from '../../src/http/metrics-server.ts';
import { freePort } from '../../src/local-stack/ports.ts';
import { createQueue } from '../../src/platform/queue.ts';
import { type Consumer, consume, openJobSource } from '../../worker/consume.ts';
import { measure } from '../../worker/measure.ts';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createSignedInUser } from '../support/users.ts';

let stores: TestStores;
let postgres: TcpProxy;
let redis: TcpProxy;
let service: TestService;
let measuring: Consumer;
let metrics: MetricsServer;

beforeAll(async () => {
  stores = await startStores();
  postgres = await proxyOf(stores.databaseUrl);
  redis = await proxyOf(stores.redisUrl);
  const databaseUrl = new URL(stores.databaseUrl);
  databaseUrl.port = `${postgres.port}`;
  service = await startService({ databaseUrl: databaseUrl.href, redisUrl: redis.url('redis') });
  measuring = measure(service.services);
  const options = { port: await freePort(), host: '127.0.0.1' };
  metrics = (await startMetricsServer(options, service.services.logger)) as MetricsServer;
});
beforeEach(async () => {
  await postgres.unblock();
  await redis.unblock();
  await expectSamples({ 'quiz_store_up{store="postgres"}': 1, 'quiz_store_up{store="redis"}': 1 });
});
afterAll(async () => {
  await metrics.close();
  await measuring.close();
  await service.stop();
  await Promise.all([postgres.stop(), redis.stop()]);
  await stores.stop();
});

function proxyOf(address: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  return startTcpProxy({ host: hostname, port: Number(port) });
}

function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${metrics.port}${path}`);
}

/** @returns each sample's value by its name and labels, as they are written */
async function samples(): Promise<Record<string, number>> {
  const answer = await ask('/metrics');
  expect(answer.status).toBe(200);
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** What can't be read in time, on a busy machine, is left out once, and told the next time. */
function expectSamples(expected: Record<string, number>): Promise<void> {
  return eventually(async () => expect(await samples()).toMatchObject(expected));
}

test('the port of the metrics also tells whether the process is alive, and nothing else', async () => {
  expect((await ask('/live')).status).toBe(200);
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/api/health')).status).toBe(404);
});

test('a store that is away is told within seconds, and the metrics go on', async () => {
  await postgres.block();
  await expectSamples({ 'quiz_store_up{store="postgres"}': 0, 'quiz_store_up{store="redis"}': 1 });
  await redis.block();
  await expectSamples({ 'quiz_store_up{store="postgres"}': 0, 'quiz_store_up{store="redis"}': 0 });
});

test('a store that is silent is told as one that is away', async () => {
  redis.stall();
  try {
    await expectSamples({ 'quiz_store_up{store="redis"}': 0 });
  } finally {
    redis.unstall();
  }
});

test('what can’t be read any more is left out, not told as it was or as zero', async () => {
  await eventually(async () => expect(await samples()).toHaveProperty('quiz_running_games'));
  await postgres.block();
  await redis.block();
  const told = await samples();
  expect(told).not.toHaveProperty('quiz_running_games');
  const stale = Object.keys(told).filter((name) => /^quiz_(queue|redis)_/.test(name));
  expect(stale).toEqual([]);
});

test('running games are counted, by their clocks', async () => {
  const { clock } = service.services;
  const game = { lobbyId: randomUUID(), gameId: randomUUID() };
  await expectSamples({ quiz_running_games: 0 });
  await clock.rewind(game);
  await expectSamples({ quiz_running_games: 1 });
  await (await clock.find(game.gameId))?.remove();
});

test('a queue’s jobs are counted by state, those of all queues of clocks together, and the lag is that of the job due longest', async () => {
  const { services } = service;
  const [first, second] = (await services.clock.places()).map((p) => createQueue(p, services));
  const mails = createQueue(MAIL_QUEUE, services);
  await expectSamples({ 'quiz_queue_lag_seconds{queue="clock"}': 0 });
  await first?.add('tick', {}, { delay: 60_000 });
  await second?.add('tick', {}, { delay: 1 });
  await mails.add('verification', {}, { delay: 60_000 });
  await eventually(async () => {
    const told = await samples();
    expect(told).toMatchObject({
      'quiz_queue_jobs{queue="clock",state="delayed"}': 2,
      'quiz_queue_jobs{queue="clock",state="waiting"}': 0,
      'quiz_queue_jobs{queue="mail",state="delayed"}': 1,
      'quiz_queue_lag_seconds{queue="mail"}': 0,
    });
    const lag = told['quiz_queue_lag_seconds{queue="clock"}'];
    expect(lag).toBeGreaterThan(0.2);
    expect(lag).toBeLessThan(40);
  });
  for (const queue of [first, second, mails]) {
    await queue?.obliterate();
    await queue?.close();
  }
});

test.each([
  ['for the first time', undefined],
  ['again', 'anew'],
])(
  'the lag sees jobs that were due %s before their worker became too busy for them',
  async (_what, isPutOff) => {
    const source = openJobSource(service.services);
    const place = MAIL_QUEUE;
    const queue = createQueue(place, service.services);
    const done = Promise.withResolvers<void>();
    let taken = 0;
    let laterMs = 0;
    const worker = consume(source, place, 1, async (job: Job, token) => {
      taken += 1;
      if (isPutOff && taken <= 3) {
        laterMs ||= Date.now() + 1000;
        await job.moveToDelayed(laterMs, token);
        throw new DelayedError();
      }
      await done.promise;
    });
    try {
      // Created long before they are due: how old a job is, is not how long it has been due.
      const timestamp = Date.now() - 600_000;
      for (const jobId of ['a', 'b', 'c'])
        await queue.add('verification', {}, { jobId, timestamp, delay: 600_500 });
      await eventually(async () => {
        const told = await samples();
        const jobs = (state: string) => told[`quiz_queue_jobs{queue="mail",state="${state}"}`] ?? 0;
        // One that is due a millisecond later may not have been moved on by the time the worker was full.
        expect([jobs('active'), jobs('waiting') + jobs('delayed')]).toEqual([1, 2]);
        const lag = told['quiz_queue_lag_seconds{queue="mail"}'];
        expect(lag).toBeGreaterThan(0.2);
        expect(lag).toBeLessThan(60);
      });
    } finally {
      done.resolve();
      await eventually(async () =>
        expect(await queue.getJobCounts()).toMatchObject({ active: 0, waiting: 0 }),
      );
      await worker.close();
      await source.close();
      await queue.close();
    }
  },
);

test('the memory, replicas and append-only file of Redis are told', async () => {
  const told = await samples();
  const node = `127.0.0.1:${redis.port}`;
  expect(told[`quiz_redis_memory_bytes{node="${node}",kind="used"}`]).toBeGreaterThan(100_000);
  expect(told).not.toHaveProperty([`quiz_redis_memory_bytes{node="${node}",kind="limit"}`]);
  expect(told).toHaveProperty([`quiz_redis_replicas{node="${node}"}`], 0);

  await service.services.redis.config('SET', 'maxmemory', '100mb');
  await service.services.redis.config('SET', 'appendonly', 'yes');
  await eventually(async () => {
    expect(await samples()).toMatchObject({
      [`quiz_redis_memory_bytes{node="${node}",kind="limit"}`]: 100 * 1024 * 1024,
      [`quiz_redis_append_ok{node="${node}"}`]: 1,
    });
  });
});

test('what PostgreSQL runs out of is told: connections, and its disk', async () => {
  const told = await samples();
  expect(told.quiz_postgres_backends).toBeGreaterThan(0);
  expect(told.quiz_postgres_backends_limit).toBeGreaterThan(told.quiz_postgres_backends ?? 0);
  expect(told.quiz_postgres_bytes).toBeGreaterThan(1_000_000);
});

test('for how long one session holds up the statements of others is told, though each is given up soon', async () => {
  const { db } = service.services;
  const blockedSeconds = async () => (await samples()).quiz_postgres_blocked_seconds;
  const holder = new pg.Client({ connectionString: stores.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE lobby');
  let isHeld = true;
  const needing = (async () => {
    while (isHeld) await db.lobby.count().catch(() => 0);
  })();
  await eventually(async () => expect(await blockedSeconds()).toBeGreaterThan(2));
  isHeld = false;
  await holder.end();
  await needing;
});

test('connections to PostgreSQL are told by what they do', async () => {
  await service.services.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1`;
    const told = await samples();
    expect(told['quiz_postgres_connections{state="used"}']).toBeGreaterThanOrEqual(1);
    expect(told['quiz_postgres_connections{state="waiting"}']).toBe(0);
  });
});

test('reads of a session are told from those that PostgreSQL had to answer', async () => {
  const { cookie } = await createSignedInUser(service.services);
  const before = await samples();
  await service.services.userSessions.findUser({ cookie });
  await service.services.userSessions.findUser({ cookie });
  const after = await samples();
  const difference = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  const hits = difference('quiz_session_reads_total{result="hit"}');
  const reloads = difference('quiz_session_reads_total{result="reload"}');
  expect(hits + reloads).toBe(2);
  expect(hits).toBeGreaterThanOrEqual(1);
});
