// A store that goes away in the middle of things: 503 within two seconds, no crash, and as before
// within two seconds of its return. [contract 1, 7, 8]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { startService, type TestService } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createSignedInUser } from '../support/users.ts';

/** Two seconds, and what a busy machine adds. */
const PROMPT_MS = 3500;

let stores: TestStores;
let redis: TcpProxy;
let postgres: TcpProxy;
let service: TestService;
let client: HttpClient;

beforeAll(async () => {
  stores = await startStores();
  const databaseUrl = new URL(stores.databaseUrl);
  const redisUrl = new URL(stores.redisUrl);
  redis = await startTcpProxy({ host: redisUrl.hostname, port: Number(redisUrl.port) });
  postgres = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
  redisUrl.port = String(redis.port);
  databaseUrl.port = String(postgres.port);
  service = await startService({ databaseUrl: databaseUrl.href, redisUrl: redisUrl.href });
  const user = await createSignedInUser(service.services);
  client = createHttpClient(service.url, { cookie: user.cookie });
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
  await postgres.stop();
  await stores.stop();
});

const ways: [string, () => unknown, () => unknown][] = [
  ['Redis refuses connections', () => redis.block(), () => redis.unblock()],
  ['Redis is silent', () => redis.stall(), () => redis.unstall()],
  ['Redis has stopped', () => stores.redis.stop(), () => stores.redis.start()],
  ['Redis is frozen', () => stores.redis.pause(), () => stores.redis.resume()],
];
const databaseWays: [string, () => unknown, () => unknown][] = [
  ['PostgreSQL refuses connections', () => postgres.block(), () => postgres.unblock()],
  ['PostgreSQL is silent', () => postgres.stall(), () => postgres.unstall()],
];

describe.each(ways)('while %s', (_way, leave, comeBack) => {
  it('everything guarded answers 503 UNAVAILABLE, health says so, and all heals', async () => {
    await expectHealth(200, { postgres: 'ok', redis: 'ok' });
    await leave();
    try {
      await expectHealth(503, { postgres: 'ok', redis: 'down' });
      await Promise.all([
        expectUnavailable(() => client.post('/api/v1/game/start')),
        expectUnavailable(() => client.post('/api/v1/game/answer', answer())),
        expectUnavailable(() => client.get('/api/v1/vocabulary')),
        expectUnavailable(() => client.post('/api/v1/lobbies')),
        expectUnavailable(() => client.get('/api/v1/lobbies/7KQ2ZD')),
      ]);
      expect((await prompt(() => client.get('/api/health/live'))).status).toBe(200);
    } finally {
      await comeBack();
    }
    await expectHealed();
  });
});

describe.each(databaseWays)('while %s', (_way, leave, comeBack) => {
  it('what needs it answers 503 UNAVAILABLE, what does not works, and all heals', async () => {
    await expectHealth(200, { postgres: 'ok', redis: 'ok' });
    await leave();
    try {
      await expectHealth(503, { postgres: 'down', redis: 'ok' });
      await expectUnavailable(() => client.post('/api/v1/lobbies'));
      await expectUnavailable(() => client.get(`/api/v1/games/${randomUUID()}`));
      const unknown = await prompt(() => client.post('/api/v1/game/answer', answer()));
      expect([unknown.status, unknown.body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    } finally {
      await comeBack();
    }
    await expectHealed();
  });
});

it.each([
  ['Redis', () => redis.forsake()],
  ['PostgreSQL', () => postgres.forsake()],
])(
  'when the machine of %s loses its power and another takes over, all heals',
  async (_store, lose) => {
    await expectHealed();
    lose();
    // Nobody says that the old connections are dead: what is asked over them gets no answer.
    await eventually(expectHealed, { timeoutMs: 15_000 });
  },
);

it('a connection that breaks under load costs a 503 at most, and never a 500', async () => {
  const statuses = new Set<number>();
  const load = async () => {
    for (let count = 0; count < 40; count++)
      statuses.add((await client.get('/api/v1/lobbies/7KQ2ZD')).status);
  };
  const cuts = async () => {
    for (let count = 0; count < 5; count++) {
      await client.get('/api/health/live');
      redis.cut();
      postgres.cut();
    }
  };
  await Promise.all([load(), load(), load(), cuts()]);
  expect([...statuses].filter((status) => status !== 404 && status !== 503)).toEqual([]);
  await expectHealed();
});

function answer() {
  return { sessionId: randomUUID(), questionId: randomUUID(), optionId: 0 };
}

/** @returns what `ask` comes to, which must be soon */
async function prompt<T>(ask: () => Promise<T>): Promise<T> {
  const { result, tookMs } = await timed(ask);
  expect(tookMs).toBeLessThan(PROMPT_MS);
  return result;
}

async function expectUnavailable(ask: () => ReturnType<HttpClient['get']>): Promise<void> {
  const { status, headers, body } = await prompt(ask);
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(JSON.stringify(body)).not.toMatch(/ECONN|redis|postgres|prisma|timed out/i);
}

async function expectHealth(status: number, checks: object): Promise<void> {
  // The last check may be half a second old.
  await prompt(() =>
    eventually(async () => {
      const health = await client.get('/api/health');
      expect([health.status, health.body.checks]).toEqual([status, checks]);
    }),
  );
}

async function expectHealed(): Promise<void> {
  await prompt(() =>
    eventually(async () => {
      expect((await client.get('/api/health')).status).toBe(200);
      expect((await client.get('/api/v1/vocabulary')).status).toBe(200);
      expect((await client.get('/api/v1/lobbies/7KQ2ZD')).status).toBe(404);
    }),
  );
}
