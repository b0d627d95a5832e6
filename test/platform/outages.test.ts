// While a store is away, requests are refused with 503 within two seconds, those for accounts too; within two seconds of its
// return they succeed again. [contract 1, 6, 7, 8]
import { randomUUID } from 'node:crypto';
import { createEmailVerificationToken } from 'better-auth/api';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { codeOf, type HttpClient } from '../support/http-client.ts';
import { useProxiedService } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { createPerson } from '../support/users.ts';

/** The contract's two seconds and an allowance for a busy machine, in ms. A slower reply fails the test. */
const REPLY_MAX_MS = 3500;
const ANSWER = { sessionId: randomUUID(), questionId: randomUUID(), optionId: 0 };
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };

const { stores, postgres, redis, service } = useProxiedService();
let client: HttpClient;

beforeAll(async () => {
  ({ client } = await createPerson(service));
});

const REDIS_OUTAGES: [string, () => unknown, () => unknown][] = [
  ['Redis refuses connections', () => redis.block(), () => redis.unblock()],
  ['Redis is frozen', () => stores.redis.pause(), () => stores.redis.resume()],
];
const POSTGRES_OUTAGES: [string, () => unknown, () => unknown][] = [
  ['PostgreSQL refuses connections', () => postgres.block(), () => postgres.unblock()],
  ['PostgreSQL is silent', () => postgres.stall(), () => postgres.unstall()],
];

describe.each(REDIS_OUTAGES)('while %s', (_outage, begin, end) => {
  it('guarded routes answer 503 UNAVAILABLE, health reports it, and everything recovers', async () => {
    await expectHealth(200, { postgres: 'ok', redis: 'ok' });
    await begin();
    try {
      await expectHealth(503, { postgres: 'ok', redis: 'down' });
      await Promise.all([
        expectUnavailable(() => client.post('/api/v1/game/start')),
        expectUnavailable(() => client.post('/api/v1/game/answer', ANSWER)),
        expectUnavailable(() => client.get('/api/v1/vocabulary')),
        expectUnavailable(() => client.post('/api/v1/lobbies')),
        expectUnavailable(() => client.get('/api/v1/lobbies/7KQ2ZD')),
        expectUnavailable(() => client.post('/api/auth/sign-in/email', ACCOUNT)),
        expectUnavailable(() => client.post('/api/auth/sign-up/email', ACCOUNT)),
        expectUnavailable(() => client.get('/api/auth/get-session')),
        expectUnavailable(() => client.post('/api/auth/sign-out', {})),
      ]);
      expect((await soon(() => client.get('/api/health/live'))).status).toBe(200);
    } finally {
      await end();
    }
    await expectRecovered();
    expect(await service.services.db.user.count({ where: { email: ACCOUNT.email } })).toBe(0);
  });
});

describe.each(POSTGRES_OUTAGES)('while %s', (_outage, begin, end) => {
  it('routes that need PostgreSQL answer 503 UNAVAILABLE, the others work, and everything recovers', async () => {
    await expectHealth(200, { postgres: 'ok', redis: 'ok' });
    await begin();
    try {
      await expectHealth(503, { postgres: 'down', redis: 'ok' });
      const { email } = ACCOUNT;
      const { secret } = service.config.auth;
      const token = await createEmailVerificationToken(secret, email, undefined, 60, { userId: randomUUID() });
      await Promise.all([
        expectUnavailable(() => client.post('/api/v1/lobbies')),
        expectUnavailable(() => client.get(`/api/v1/games/${randomUUID()}`)),
        expectUnavailable(() => client.post('/api/auth/sign-in/email', ACCOUNT)),
        expectUnavailable(() => client.post('/api/auth/sign-up/email', ACCOUNT)),
        expectUnavailable(() => client.post('/api/auth/request-password-reset', { email })),
        expectUnavailable(() => client.get('/api/auth/list-sessions')),
        expectUnavailable(() => client.get(`/api/auth/verify-email?token=${token}`)),
      ]);
      const unknown = await soon(() => client.post('/api/v1/game/answer', ANSWER));
      expect(codeOf(unknown)).toEqual([404, 'SESSION_NOT_FOUND']);
    } finally {
      await end();
    }
    await expectRecovered();
  });
});

it.each([
  ['Redis', () => redis.blackhole()],
  ['PostgreSQL', () => postgres.blackhole()],
])('everything recovers when the machine of %s loses power and another one takes over', async (_store, losePower) => {
  await expectRecovered();
  losePower();
  // The old connections are not closed: commands over them get no reply.
  await eventually(expectRecovered, { timeoutMs: 15_000 });
});

it('a connection that breaks under load causes 503 at most, and never 500', async () => {
  const statuses = new Set<number>();
  const load = async () => {
    for (let count = 0; count < 40; count++) statuses.add((await client.get('/api/v1/lobbies/7KQ2ZD')).status);
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
  await expectRecovered();
});

/** Expects `request` to settle within REPLY_MAX_MS. @returns its result */
async function soon<T>(request: () => Promise<T>): Promise<T> {
  const { result, tookMs } = await timed(request);
  expect(tookMs).toBeLessThan(REPLY_MAX_MS);
  return result;
}

async function expectUnavailable(request: () => ReturnType<HttpClient['get']>): Promise<void> {
  const { status, headers, body } = await soon(request);
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(headers.getSetCookie()).toEqual([]);
  expect(JSON.stringify(body)).not.toMatch(/ECONN|redis|postgres|prisma|timed out/i);
}

async function expectHealth(status: number, checks: object): Promise<void> {
  // Health may report a check that is half a second old.
  await soon(() =>
    eventually(async () => {
      const health = await client.get('/api/health');
      expect([health.status, health.body.checks]).toEqual([status, checks]);
    }),
  );
}

async function expectRecovered(): Promise<void> {
  await soon(() =>
    eventually(async () => {
      expect((await client.get('/api/health')).status).toBe(200);
      expect((await client.get('/api/v1/vocabulary')).status).toBe(200);
      expect((await client.get('/api/v1/lobbies/7KQ2ZD')).status).toBe(404);
    }),
  );
}
