// While a store is unreachable, account requests report nothing as done that is not. That all of them answer 503 is in
// test/platform/outages.test.ts. [contract 1, 6, 8]
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startJobs } from '../../worker/jobs.ts';
import { newEmail, signIn, signUp } from '../support/accounts.ts';
import { createGuardedRoute, type GuardedRoute } from '../support/edge.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpResponse } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { SHORT_OUTAGES, startService, useProxiedService } from '../support/service.ts';
import { timed } from '../support/stopwatch.ts';
import { createSignedInUser } from '../support/users.ts';

/** An answer must come within this time, in ms: two seconds, and a margin for a busy machine. */
const PROMPT_MS = 3500;
/** A stop that takes longer than this, in ms, hangs: the test looks for that, since a busy machine delays any stop. */
const STOP_HANGS_MS = 10_000;

const { stores, postgres, redis, service } = useProxiedService();
let guard: GuardedRoute;

beforeAll(async () => {
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
});

const client = (cookie = '') => createHttpClient(service.url, { cookie });
const isSignedIn = async (cookie: string) => (await client(cookie).get('/api/auth/get-session')).body !== null;

async function expectUnavailable(ask: () => Promise<HttpResponse>): Promise<void> {
  const { result: answer, tookMs } = await timed(ask);
  expect(tookMs).toBeLessThan(PROMPT_MS);
  expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.headers.getSetCookie()).toEqual([]);
}

test('a sign-out that fails while PostgreSQL is silent is not reported as done', async () => {
  const { cookie } = await createSignedInUser(service.services);
  postgres.stall();
  await expectUnavailable(() => client(cookie).post('/api/auth/sign-out', {}));
  postgres.unstall();
  await eventually(() => service.services.db.$queryRaw`SELECT 1`);
  expect(await isSignedIn(cookie)).toBe(true);
  await client(cookie).post('/api/auth/sign-out', {});
  expect(await isSignedIn(cookie)).toBe(false);
});

test('while Redis is full, sessions are still read, and none is reported as ended', async () => {
  const { cookie } = await createSignedInUser(service.services);
  const direct = new Redis(stores.redisUrl);
  try {
    await direct.config('SET', 'maxmemory', '1');
    expect(await guard.ask(cookie)).toMatchObject({ status: 200 });
    await expectUnavailable(() => client(cookie).post('/api/auth/sign-out', {}));
    await expectUnavailable(() => signUp(client(), newEmail()));
  } finally {
    await direct.config('SET', 'maxmemory', '0');
    direct.disconnect();
  }
  expect(await isSignedIn(cookie)).toBe(true);
});

test('a sign-up whose email can’t be queued answers 503, and the next one sends it', async () => {
  const email = newEmail();
  // The mail queue blocks Redis when it is first asked: after the rate limiter, and before the job is added.
  const { services } = service;
  const { ask } = services.mailQueue;
  services.mailQueue.ask = async (request) => {
    services.mailQueue.ask = ask;
    await redis.block();
    return ask(request);
  };
  await expectUnavailable(() => signUp(client(), email));
  expect(await services.db.user.count({ where: { email } })).toBe(1);

  await redis.unblock();
  await eventually(() => services.redis.ping());
  const worker = startJobs(services);
  onTestFinished(() => worker.close());
  const browser = client();
  expect(await signUp(browser, email)).toMatchObject({ status: 200 });
  await browser.get((await mailTo(service.config, email)).url);
  expect(await signIn(client(), email)).toMatchObject({ status: 200 });
});

test('a service that starts while Redis is away answers 503, and works when Redis is back', async () => {
  await redis.block();
  const late = await startService({ databaseUrl: stores.databaseUrl, redisUrl: redis.url('redis') }, SHORT_OUTAGES);
  onTestFinished(() => late.stop());
  const ask = () => signIn(createHttpClient(late.url), 'a@example.com');
  await expectUnavailable(ask);
  await redis.unblock();
  await eventually(async () => expect(await ask()).toMatchObject({ status: 401 }));
});

test('a service stops while Redis is away', async () => {
  const stopping = await startService({ databaseUrl: stores.databaseUrl, redisUrl: redis.url('redis') }, SHORT_OUTAGES);
  await eventually(() => stopping.services.redis.ping());
  await redis.block();
  const { tookMs } = await timed(() => stopping.stop());
  expect(tookMs).toBeLessThan(STOP_HANGS_MS);
});
