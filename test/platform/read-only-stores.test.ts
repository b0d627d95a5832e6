import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { readMetrics } from '../support/metrics.ts';
import { withRedis } from '../support/own-servers.ts';
import { SHORT_OUTAGES, startReplicas, type TestService } from '../support/service.ts';
import { connectForTest } from '../support/sql.ts';
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
const log = captureLog();

beforeAll(async () => {
  postgres = await startOwnPostgres();
  const addresses = { databaseUrl: postgres.databaseUrl, redisUrl: stores.redisUrl };
  [service] = await startReplicas(addresses, 1, { ...SHORT_OUTAGES, LOG_LEVEL: 'info' }, log.stream);
  ({ client } = await createPerson(service));
  redis = new Redis(stores.redisUrl);
});
beforeEach(async () => {
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  log.clear();
});
afterAll(async () => {
  redis.disconnect();
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

/**
 * Makes a store refuse writes for a while, and expects its state and two lines of the log.
 * @param look is called while it refuses them
 */
async function expectReadOnly(
  store: 'postgres' | 'redis',
  reason: string,
  { begin, look, end }: Record<'begin' | 'look' | 'end', () => Promise<unknown>>,
): Promise<void> {
  const [up, writable] = [`quiz_store_up{store="${store}"}`, `quiz_store_writable{store="${store}"}`];
  try {
    await begin();
    await expectHealth(503, { postgres: 'ok', redis: 'ok', [store]: 'read_only' });
    expect(await readMetrics()).toMatchObject({ [up]: 1, [writable]: 0 });
    await look();
  } finally {
    await end();
  }
  await expectHealth(200, { postgres: 'ok', redis: 'ok' });
  expect(await readMetrics()).toMatchObject({ [writable]: 1 });
  // The lines about refused requests have an error or their number.
  const lines = log.lines().filter(({ store, err, refused }) => store && !err && refused === undefined);
  const again = ['a store is available again', undefined];
  expect(lines.map((line) => [line.msg, line.reason])).toEqual([['a store refuses writes', reason], again]);
}

test('a Redis that refuses writes is reported as read_only by health, metrics and one line of the log', async () => {
  await expectReadOnly('redis', 'NOREPLICAS', {
    begin: () => redis.config('SET', 'min-replicas-to-write', '1'),
    async look() {
      expect((await client.post('/api/v1/game/start')).status).toBe(503);
      expect((await client.get('/api/health/ready')).status).toBe(200);
    },
    end: () => redis.config('SET', 'min-replicas-to-write', '0'),
  });
});

test('a Redis that has no memory for large writes is read_only when it has refused one, though it takes small ones', async () => {
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
  const large = 'x'.repeat(8 * 2 ** 20);
  await redis.config('SET', 'maxmemory', String(used + 4 * 2 ** 20));
  await expectReadOnly('redis', 'OOM', {
    // The memory that a command takes is free again when its connection has ended.
    begin: () => withRedis(stores.redisUrl, (writer) => expect(writer.set('large', large)).rejects.toThrow(/^OOM/)),
    look: () => expect.poll(() => redis.set('small', '').catch(String)).toBe('OK'),
    end: () => redis.config('SET', 'maxmemory', '0'),
  });
});

test('a PostgreSQL that is read-only is reported as read_only, writes are refused with 503, and everything recovers', async () => {
  const database = await connectForTest(postgres.databaseUrl);
  const alter = async (change: string) => {
    await database.query(`ALTER SYSTEM ${change}`);
    await database.query('SELECT pg_reload_conf()');
  };
  await expectReadOnly('postgres', 'READONLY', {
    begin: () => alter('SET default_transaction_read_only = on'),
    look: async () => expect(codeOf(await client.post('/api/v1/lobbies'))).toEqual([503, 'UNAVAILABLE']),
    end: () => alter('RESET default_transaction_read_only'),
  });
  expect((await client.post('/api/v1/lobbies')).status).toBe(201);
});
