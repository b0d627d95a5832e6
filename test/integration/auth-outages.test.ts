// The accounts while a store is away: 503 within two seconds, and nothing reported as done that is
// not. [contract 1, 6, 8]
import { randomUUID } from 'node:crypto';
import { createEmailVerificationToken } from 'better-auth/api';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../worker/jobs.ts';
import { eventually } from '../support/eventually.ts';
import { createGuardedRoute, type GuardedRoute } from '../support/guarded-route.ts';
import { type Answer, createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createSignedInUser } from '../support/users.ts';

const PASSWORD = 'correct horse';
/** Two seconds, and what a busy machine adds. */
const PROMPT_MS = 3500;

let stores: TestStores;
let redis: TcpProxy;
let postgres: TcpProxy;
let service: TestService;
let guard: GuardedRoute;

beforeAll(async () => {
  stores = await startStores();
  const databaseUrl = new URL(stores.databaseUrl);
  const redisUrl = new URL(stores.redisUrl);
  redis = await proxyOf(redisUrl);
  postgres = await proxyOf(databaseUrl);
  service = await startService({ databaseUrl: databaseUrl.href, redisUrl: redisUrl.href });
  guard = await createGuardedRoute(service);
});
afterEach(async () => {
  for (const proxy of [redis, postgres]) {
    proxy.unstall();
    await proxy.unblock();
  }
  const { services } = service;
  await eventually(() => services.redis.ping());
  await eventually(() => services.db.$queryRaw`SELECT 1`);
});
afterAll(async () => {
  await guard.close();
  await service.stop();
  for (const proxy of [redis, postgres]) await proxy.stop();
  await stores.stop();
});

/** Puts a proxy in front of `url`, and into it. */
async function proxyOf(url: URL): Promise<TcpProxy> {
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  return proxy;
}

const client = (cookie = '') => createHttpClient(service.url, { cookie });
const signUp = (email: string) =>
  client().post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD });
const isSignedIn = async (cookie: string) =>
  (await client(cookie).get('/api/auth/get-session')).body !== null;

/** Expects the refusal that says "away for the moment", soon. */
async function expectUnavailable(ask: () => Promise<Answer>): Promise<void> {
  const { result: answer, tookMs } = await timed(ask);
  expect(tookMs).toBeLessThan(PROMPT_MS);
  expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.headers.getSetCookie()).toEqual([]);
}

describe.for([
  ['refuses connections', 'block'],
  ['is silent', 'stall'],
] as const)('while Redis %s', ([, away]) => {
  test('everything about accounts answers 503, and nothing of it is done', async () => {
    const user = await createSignedInUser(service.services);
    await redis[away]();
    const email = `${randomUUID()}@example.com`;
    const credentials = { email: user.email, password: PASSWORD };
    await Promise.all([
      expectUnavailable(() => signUp(email)),
      expectUnavailable(() => client().post('/api/auth/sign-in/email', credentials)),
      expectUnavailable(() => client(user.cookie).get('/api/auth/get-session')),
      expectUnavailable(() => client(user.cookie).post('/api/auth/sign-out', {})),
    ]);
    expect(await service.services.db.user.count({ where: { email } })).toBe(0);
  });

  test('a guarded route answers 503, and the session is valid afterwards', async () => {
    const { cookie } = await createSignedInUser(service.services);
    await redis[away]();
    expect(await guard.ask(cookie)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    redis.unstall();
    await redis.unblock();
    await eventually(async () => expect(await isSignedIn(cookie)).toBe(true));
    expect(await guard.ask(cookie)).toMatchObject({ status: 200 });
  });
});

describe.for([
  ['refuses connections', 'block'],
  ['is silent', 'stall'],
] as const)('while PostgreSQL %s', ([, away]) => {
  test('what needs it answers 503', async () => {
    const { cookie, email } = await createSignedInUser(service.services);
    await postgres[away]();
    const token = await createEmailVerificationToken(service.config.auth.secret, email);
    const credentials = { email, password: PASSWORD };
    await Promise.all([
      expectUnavailable(() => signUp(`${randomUUID()}@example.com`)),
      expectUnavailable(() => client().post('/api/auth/sign-in/email', credentials)),
      expectUnavailable(() => client().post('/api/auth/request-password-reset', { email })),
      expectUnavailable(() => client(cookie).get('/api/auth/list-sessions')),
      expectUnavailable(() => client().get(`/api/auth/verify-email?token=${token}`)),
    ]);
  });

  test('a sign-out that can’t be done is not reported as done', async () => {
    const { cookie } = await createSignedInUser(service.services);
    await postgres[away]();
    await expectUnavailable(() => client(cookie).post('/api/auth/sign-out', {}));
    postgres.unstall();
    await postgres.unblock();
    await eventually(() => service.services.db.$queryRaw`SELECT 1`);
    expect(await isSignedIn(cookie)).toBe(true);
    await client(cookie).post('/api/auth/sign-out', {});
    expect(await isSignedIn(cookie)).toBe(false);
  });
});

test('while Redis is full, sessions are still read, and none is reported as ended', async () => {
  const { cookie } = await createSignedInUser(service.services);
  const direct = new Redis(stores.redisUrl);
  try {
    await direct.config('SET', 'maxmemory', '1');
    expect(await guard.ask(cookie)).toMatchObject({ status: 200 });
    await expectUnavailable(() => client(cookie).post('/api/auth/sign-out', {}));
    await expectUnavailable(() => signUp(`${randomUUID()}@example.com`));
  } finally {
    await direct.config('SET', 'maxmemory', '0');
    direct.disconnect();
  }
  expect(await isSignedIn(cookie)).toBe(true);
});

test('a sign-up whose email can’t be queued answers 503, and the next one sends it', async () => {
  const email = `${randomUUID()}@example.com`;
  // Redis goes away between the limiter and the queue.
  const { services } = service;
  const { ask } = services.mailQueue;
  services.mailQueue.ask = async (wish) => {
    services.mailQueue.ask = ask;
    await redis.block();
    return ask(wish);
  };
  await expectUnavailable(() => signUp(email));
  expect(await services.db.user.count({ where: { email } })).toBe(1);

  await redis.unblock();
  await eventually(() => services.redis.ping());
  const worker = startJobs(services);
  try {
    expect(await signUp(email)).toMatchObject({ status: 200 });
    await client().get((await mailTo(service.config, email)).url);
    const signedIn = await client().post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(signedIn).toMatchObject({ status: 200 });
  } finally {
    await worker.close();
  }
});

test('a service that starts while Redis is away answers 503, and works when Redis is back', async () => {
  await redis.block();
  const late = await startService({
    databaseUrl: stores.databaseUrl,
    redisUrl: redis.url('redis'),
  });
  try {
    const lateClient = createHttpClient(late.url);
    const ask = () =>
      lateClient.post('/api/auth/sign-in/email', { email: 'a@example.com', password: PASSWORD });
    await expectUnavailable(ask);
    await redis.unblock();
    await eventually(async () => expect(await ask()).toMatchObject({ status: 401 }));
  } finally {
    await late.stop();
  }
});

test('a service stops while Redis is away', async () => {
  const stopping = await startService({
    databaseUrl: stores.databaseUrl,
    redisUrl: redis.url('redis'),
  });
  await eventually(() => stopping.services.redis.ping());
  await redis.block();
  const { tookMs } = await timed(() => stopping.stop());
  expect(tookMs).toBeLessThan(PROMPT_MS);
});
