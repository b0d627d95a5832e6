import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { SHORT_OUTAGES, startReplicas, type TestService } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { type OwnPostgres, startOwnPostgres, useStores } from '../support/stores.ts';
import { createPerson } from '../support/users.ts';

/** The contract's five seconds and an allowance for a busy machine, in ms. A later report fails a test. */
const REPORTED_WITHIN_MS = 5000 + 3000;

const stores = useStores();
let postgres: OwnPostgres;
let service: TestService;
let client: HttpClient;
let redis: Redis;
let database: pg.Client;
const log = captureLog();

beforeAll(async () => {
  postgres = await startOwnPostgres();
  const addresses = { databaseUrl: postgres.databaseUrl, redisUrl: stores.redisUrl };
  [service] = await startReplicas(addresses, 1, { ...SHORT_OUTAGES, LOG_LEVEL: 'info' }, log.stream);
  ({ client } = await createPerson(service));
  redis = new Redis(stores.redisUrl);
  database = new pg.Client({ connectionString: postgres.databaseUrl });
  await database.connect();
});
beforeEach(async () => {
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  log.clear();
});
afterAll(async () => {
  redis.disconnect();
  await database.end();
  await service.stop();
  await postgres.dispose();
});

async function expectHealth(status: number, checks: object): Promise<void> {
  const { tookMs } = await timed(() =>
    expect
      .poll(async () => {
        const { status, body } = await client.get('/api/health');
        return [status, body.status, body.checks];
      })
      .toEqual([status, status === 200 ? 'ok' : 'degraded', checks]),
  );
  expect(tookMs).toBeLessThan(REPORTED_WITHIN_MS);
}

async function sample(name: string): Promise<string | undefined> {
  const { text } = await renderMetrics();
  const line = text.split('\n').find((line) => line.startsWith(`${name} `));
  return line?.split(' ')[1];
}

/** What the checks of the stores have logged. The lines about refused requests have an error or their number. */
const reports = () => {
  const lines = log.lines().filter(({ store, err, refused }) => store && !err && refused === undefined);
  return lines.map(({ msg, reason }) => [msg, reason]);
};

test('a Redis that refuses writes is reported as read_only by health, metrics and one line of the log', async () => {
  await redis.config('SET', 'min-replicas-to-write', '1');
  try {
    await expectHealth(503, { postgres: 'ok', redis: 'read_only' });
    expect(await sample('quiz_store_writable{store="redis"}')).toBe('0');
    expect(await sample('quiz_store_up{store="redis"}')).toBe('1');
    expect((await client.post('/api/v1/game/start')).status).toBe(503);
    expect((await client.get('/api/health/ready')).status).toBe(200);
  } finally {
    await redis.config('SET', 'min-replicas-to-write', '0');
  }
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  expect(await sample('quiz_store_writable{store="redis"}')).toBe('1');
  expect(reports()).toEqual([
    ['a store refuses writes', 'NOREPLICAS'],
    ['a store is available again', undefined],
  ]);
});

test('a Redis that has no memory for large writes is read_only when it has refused one, though it takes small ones', async () => {
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
  const large = 'x'.repeat(8 * 2 ** 20);
  await redis.config('SET', 'maxmemory', String(used + 4 * 2 ** 20));
  // The memory that a command takes is free again when its connection has ended.
  const writer = new Redis(stores.redisUrl);
  try {
    await expect(writer.set('large', large)).rejects.toThrow(/^OOM/);
    writer.disconnect();
    await expect.poll(() => redis.set('small', '').catch(String)).toBe('OK');
    await expectHealth(503, { postgres: 'ok', redis: 'read_only' });
    expect(await sample('quiz_store_writable{store="redis"}')).toBe('0');
  } finally {
    writer.disconnect();
    await redis.config('SET', 'maxmemory', '0');
  }
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  expect(reports()).toEqual([
    ['a store refuses writes', 'OOM'],
    ['a store is available again', undefined],
  ]);
});

test('a PostgreSQL that is read-only is reported as read_only, writes are refused with 503, and everything recovers', async () => {
  await database.query('ALTER SYSTEM SET default_transaction_read_only = on');
  await database.query('SELECT pg_reload_conf()');
  try {
    await expectHealth(503, { postgres: 'read_only', redis: 'ok' });
    expect(await sample('quiz_store_writable{store="postgres"}')).toBe('0');
    expect(codeOf(await client.post('/api/v1/lobbies'))).toEqual([503, 'UNAVAILABLE']);
  } finally {
    await database.query('ALTER SYSTEM RESET default_transaction_read_only');
    await database.query('SELECT pg_reload_conf()');
  }
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  expect((await client.post('/api/v1/lobbies')).status).toBe(201);
});
