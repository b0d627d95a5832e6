import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { SHORT_OUTAGES, startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';

const AUTH_MAX = 5;
const GAME_MAX = 6;
const WINDOW_MS = 600_000;

let stores: TestStores;
let redis: Redis;
let replicas: TestService[];
let first: TestService;
let second: TestService;

beforeAll(async () => {
  stores = await startStores();
  redis = new Redis(stores.redisUrl);
  redis.on('error', () => {});
  replicas = await startReplicas(stores, 2, {
    ...SHORT_OUTAGES,
    RATE_LIMIT_AUTH_MAX: `${AUTH_MAX}`,
    RATE_LIMIT_GAME_MAX: `${GAME_MAX}`,
    RATE_LIMIT_WINDOW_MS: `${WINDOW_MS}`,
    TRUST_PROXY: 'loopback',
  });
  [first, second] = replicas as [TestService, TestService];
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  redis.disconnect();
  await stores.stop();
});
beforeEach(async () => {
  const keys = await redis.keys('limit:*');
  if (keys.length > 0) await redis.del(keys);
});

describe('[contract 8] the game limiter', () => {
  let user: TestUser;
  beforeEach(async () => {
    user = await createSignedInUser(first.services);
  });

  const vocabulary = (service: TestService, who = user) =>
    createHttpClient(service.url, { cookie: who.cookie }).get('/api/v1/vocabulary');
  const exhaust = async () => {
    for (let count = 0; count < GAME_MAX; count++)
      expect((await vocabulary(count % 2 ? second : first)).status).toBe(200);
  };

  it('is shared by all replicas and refuses with 429 RATE_LIMITED', async () => {
    await exhaust();
    for (const service of [first, second]) {
      const { status, headers, body } = await vocabulary(service);
      expect(status).toBe(429);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body).toMatchObject({ code: 'RATE_LIMITED', status: 429, title: 'Too Many Requests' });
    }
  });

  it('counts all operations of the game together, refused requests too', async () => {
    const client = createHttpClient(first.url, { cookie: user.cookie });
    expect((await client.post('/api/v1/game/answer', '{')).status).toBe(400);
    expect((await client.post('/api/v1/game/start', { questionCount: 51 })).status).toBe(400);
    expect((await client.post('/api/v1/game/start', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    const { headers } = await vocabulary(second);
    expect(headers.get('ratelimit-remaining')).toBe(`${GAME_MAX - 4}`);
    for (let count = 4; count < GAME_MAX; count++) await vocabulary(first);
    await vocabulary(first);
    await vocabulary(first);
    expect(await redis.get(`limit:game:${user.id}`)).toBe(`${GAME_MAX + 2}`);
  });

  it('has a fixed window, which requests do not extend', async () => {
    await vocabulary(first);
    await redis.pexpire(`limit:game:${user.id}`, 60_000);
    for (let count = 0; count < GAME_MAX; count++) await vocabulary(first);
    const { status, headers } = await vocabulary(first);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await redis.pexpire(`limit:game:${user.id}`, 1);
    await expect.poll(async () => (await vocabulary(first)).status).toBe(200);
  });

  it('[contract 10] refuses after authentication and before the body is parsed', async () => {
    await exhaust();
    expect((await createHttpClient(first.url).get('/api/v1/vocabulary')).status).toBe(401);
    const client = createHttpClient(first.url, { cookie: user.cookie });
    expect((await client.post('/api/v1/game/start', '{')).status).toBe(429);
    expect((await client.post('/api/v1/game/start', 'x'.repeat(70_000))).status).toBe(429);
    expect((await client.request('PUT', '/api/v1/game/start')).status).toBe(405);
    expect((await client.get('/api/v1/game/nope')).status).toBe(404);
  });
});

describe('[contract 8] the auth limiter', () => {
  const signIn = (service: TestService, address: string, path = '/api/auth/sign-in/email') =>
    createHttpClient(service.url, { origin: first.url }).post(
      path,
      { email: 'nobody@example.com', password: 'wrong-password' },
      { 'x-forwarded-for': address },
    );

  it('counts by client address on all replicas, and refuses in the format of better-auth', async () => {
    for (let count = 0; count < AUTH_MAX; count++)
      expect((await signIn(count % 2 ? second : first, '203.0.113.1')).status).toBe(401);
    const { status, headers, body } = await signIn(second, '203.0.113.1');
    expect(status).toBe(429);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({ code: 'RATE_LIMITED', message: expect.stringContaining('from your network') });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-limit')).toBe(`${AUTH_MAX}`);
    expect((await signIn(first, '203.0.113.2')).status).toBe(401);
  });

  it.each([
    ['GET', '/api/auth/get-session'],
    ['POST', '/api/auth/sign-out'],
    ['GET', '/api/auth/callback/google?code=x&state=y'],
    ['GET', '/api/auth/callback/github'],
  ])('skips %s %s', async (method, path) => {
    for (let count = 0; count <= AUTH_MAX; count++) {
      const { status, headers } = await createHttpClient(first.url).request(method, path);
      expect(status).not.toBe(429);
      expect(headers.has('ratelimit-limit')).toBe(false);
    }
    expect(await redis.keys('limit:auth:*')).toEqual([]);
  });
});
