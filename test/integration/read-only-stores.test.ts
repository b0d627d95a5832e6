// A store that answers and refuses writes: health, the metrics and the log say so, and say which and
// why, within five seconds; and that it is over. [contract 18]
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderMetrics } from '../../src/platform/metrics.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import {
  type OwnPostgres,
  startOwnPostgres,
  startStores,
  type TestStores,
} from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';

/** What the contract promises, and what a busy machine adds. */
const SEEN_MS = 5000 + 3000;

let stores: TestStores;
let postgres: OwnPostgres;
let service: TestService;
let client: HttpClient;
let redis: Redis;
let database: pg.Client;
let lines: { level: number; msg: string; store?: string; reason?: string }[] = [];

beforeAll(async () => {
  [stores, postgres] = await Promise.all([startStores(), startOwnPostgres()]);
  const addresses = { databaseUrl: postgres.databaseUrl, redisUrl: stores.redisUrl };
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  [service] = (await startReplicas(addresses, 1, { LOG_LEVEL: 'info' }, log)) as [TestService];
  const user = await createSignedInUser(service.services);
  client = createHttpClient(service.url, { cookie: user.cookie });
  redis = new Redis(stores.redisUrl);
  database = new pg.Client({ connectionString: postgres.databaseUrl });
  await database.connect();
});
beforeEach(async () => {
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  lines = [];
});
afterAll(async () => {
  redis.disconnect();
  await database.end();
  await service.stop();
  await Promise.all([stores.stop(), postgres.dispose()]);
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
  expect(tookMs).toBeLessThan(SEEN_MS);
}

async function sample(name: string): Promise<string | undefined> {
  const { text } = await renderMetrics();
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.split(' ')[1];
}

async function snapshotFile(): Promise<string> {
  const [[, folder], [, name]] = (await Promise.all(
    ['dir', 'dbfilename'].map((setting) => redis.config('GET', setting) as Promise<string[]>),
  )) as [[string, string], [string, string]];
  return join(folder, name);
}

async function saveSnapshot(expected: 'ok' | 'err'): Promise<void> {
  await redis.bgsave();
  await expect
    .poll(() => redis.info('persistence'))
    .toContain(`rdb_last_bgsave_status:${expected}`);
}

const outages = () => lines.filter(({ store }) => store).map(({ msg, reason }) => [msg, reason]);

describe.each<[string, () => unknown, () => unknown]>([
  [
    'NOREPLICAS',
    () => redis.config('SET', 'min-replicas-to-write', '1'),
    () => redis.config('SET', 'min-replicas-to-write', '0'),
  ],
  [
    'OOM',
    () => redis.config('SET', 'maxmemory', '1mb'),
    () => redis.config('SET', 'maxmemory', '0'),
  ],
  [
    'READONLY',
    () => redis.call('REPLICAOF', '127.0.0.1', '1'),
    () => redis.call('REPLICAOF', 'NO', 'ONE'),
  ],
  [
    'MISCONF',
    async () => {
      await redis.config('SET', 'save', '3600 1');
      // No snapshot can take this name.
      mkdirSync(await snapshotFile());
      await saveSnapshot('err');
    },
    async () => {
      rmdirSync(await snapshotFile());
      await saveSnapshot('ok');
    },
  ],
])('a Redis that refuses writes with %s', (reason, begin, end) => {
  test('is told as read_only, by health, the metrics, and one line in the log', async () => {
    await begin();
    try {
      await expectHealth(503, { postgres: 'ok', redis: 'read_only' });
      expect(await sample('quiz_store_writable{store="redis"}')).toBe('0');
      expect(await sample('quiz_store_up{store="redis"}')).toBe('1');
      expect((await client.post('/api/v1/game/start')).status).toBe(503);
      expect((await client.get('/api/health/ready')).status).toBe(200);
      await expectHealth(503, { postgres: 'ok', redis: 'read_only' });
    } finally {
      await end();
    }
    await expectHealth(200, { postgres: 'ok', redis: 'ok' });
    expect(await sample('quiz_store_writable{store="redis"}')).toBe('1');
    expect(outages()).toEqual([
      ['a store refuses writes', reason],
      ['a store is well again', undefined],
    ]);
  });
});

describe.each<[string, string[], string[]]>([
  [
    'for everybody',
    ['ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()'],
    ['ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'],
  ],
  [
    'for new connections',
    [
      'ALTER DATABASE quiz SET default_transaction_read_only = on',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = 'quiz' AND pid <> pg_backend_pid()`,
    ],
    [
      'SET default_transaction_read_only = off',
      'ALTER DATABASE quiz RESET default_transaction_read_only',
    ],
  ],
])('a PostgreSQL that is read-only %s', (_way, begin, end) => {
  test('is told as read_only, its refusals are 503, and all is well when it is over', async () => {
    for (const statement of begin) await database.query(statement);
    try {
      await expectHealth(503, { postgres: 'read_only', redis: 'ok' });
      expect(await sample('quiz_store_writable{store="postgres"}')).toBe('0');
      const refused = await client.post('/api/v1/lobbies');
      expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    } finally {
      for (const statement of end) await database.query(statement);
    }
    await expectHealth(200, { postgres: 'ok', redis: 'ok' });
    expect((await client.post('/api/v1/lobbies')).status).toBe(201);
  });
});

test('many requests share two looks a second at most', async () => {
  const commands = async () =>
    Number(/cmdstat_eval:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
  const before = await commands();
  const { tookMs } = await timed(() =>
    Promise.all(Array.from({ length: 300 }, () => client.get('/api/health'))),
  );
  expect((await commands()) - before).toBeLessThanOrEqual(2 * Math.ceil(tookMs / 1000) + 1);
});
