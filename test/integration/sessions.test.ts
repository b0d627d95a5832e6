// What a session is worth: on every replica, at once, without PostgreSQL, and after Redis was lost.
// [contract 6]
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSessionCache } from '../../src/auth/session-cache.ts';
import type { Database } from '../../src/platform/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { createGuardedRoute, type GuardedRoute } from '../support/guarded-route.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createSignedInUser, signIn, type TestUser } from '../support/users.ts';

const DAY_MS = 24 * 3600 * 1000;

let stores: TestStores;
let postgres: TcpProxy;
let redis: Redis;
let here: TestService;
let there: TestService;
let guards: GuardedRoute[];

beforeAll(async () => {
  stores = await startStores();
  const databaseUrl = new URL(stores.databaseUrl);
  postgres = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
  databaseUrl.port = String(postgres.port);
  redis = new Redis(stores.redisUrl);
  const addresses = { redisUrl: stores.redisUrl, databaseUrl: databaseUrl.href };
  [here, there] = (await startReplicas(addresses, 2)) as [TestService, TestService];
  guards = await Promise.all([here, there].map(createGuardedRoute));
});
afterEach(() => postgres.unblock());
afterAll(async () => {
  for (const guard of guards) await guard.close();
  for (const replica of [here, there]) await replica.stop();
  redis.disconnect();
  await postgres.stop();
  await stores.stop();
});

const newUser = () => createSignedInUser(here.services);
const browser = (cookie: string) => createHttpClient(here.url, { cookie });
const tokenOf = (cookie: string) =>
  decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';

/** @returns the statuses of a guarded route, and of get-session, on both replicas */
async function validity(cookie: string): Promise<unknown[]> {
  const asked = guards.map(async (guard) => (await guard.ask(cookie)).status);
  const seen = [here, there].map(async ({ url }) => {
    const { body } = await browser(cookie).at(url).get('/api/auth/get-session');
    return body === null ? 401 : 200;
  });
  return Promise.all([...asked, ...seen]);
}
const VALID = [200, 200, 200, 200];
const INVALID = [401, 401, 401, 401];

/** Sets when a session ends, and forgets its copy. */
async function setExpiry(cookie: string, expiresAtMs: number): Promise<void> {
  const token = tokenOf(cookie);
  await here.services.db.session.update({
    where: { token },
    data: { expiresAt: new Date(expiresAtMs) },
  });
  await redis.del(`auth:session:${token}`);
}
const expiryOf = async (cookie: string) =>
  (await here.services.db.session.findUnique({ where: { token: tokenOf(cookie) } }))?.expiresAt;

describe('a session', () => {
  test('is who the user is, on every replica', async () => {
    const { id, name, email, cookie } = await newUser();
    for (const guard of guards)
      expect(await guard.ask(cookie)).toEqual({
        status: 200,
        body: { id, name, email, sessionId: expect.any(String) },
        setCookies: [],
      });
    const { userSessions } = there.services;
    expect(await userSessions.findUser({ cookie })).toMatchObject({ id, name, email });
    expect(await userSessions.findUser({})).toBeNull();
  });

  test('is checked without PostgreSQL', async () => {
    const { cookie } = await newUser();
    await postgres.block();
    expect(await validity(cookie)).toEqual(VALID);
  });

  test('survives the loss of Redis, and is in Redis again after its first use', async () => {
    const { cookie } = await newUser();
    await redis.flushall();
    expect(await validity(cookie)).toEqual(VALID);
    await postgres.block();
    expect(await validity(cookie)).toEqual(VALID);
  });

  test('ends when its time is over', async () => {
    const { cookie } = await newUser();
    await setExpiry(cookie, Date.now() + 5000);
    const look = () => here.services.userSessions.findUser({ cookie });
    expect(await look()).not.toBeNull();
    await eventually(async () => expect(await look()).toBeNull());
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('without one a guarded route answers 401 UNAUTHENTICATED', async () => {
    const [guard] = guards;
    expect(await guard?.ask('')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED', status: 401 },
    });
  });
});

describe('renewal', () => {
  const DUE_MS = 6 * DAY_MS - 1000;

  test('comes with the first guarded request after a day, cookie and all', async () => {
    const { cookie } = await newUser();
    await setExpiry(cookie, Date.now() + DUE_MS);
    const [first] = guards;
    expect((await first?.ask(cookie))?.setCookies).toEqual([
      expect.stringMatching(/session_token=[^;]+; Max-Age=604800;/),
    ]);
    expect((await expiryOf(cookie))?.getTime()).toBeGreaterThan(Date.now() + 7 * DAY_MS - 60_000);
    for (const guard of guards) expect((await guard.ask(cookie)).setCookies).toEqual([]);
  });

  test('does not come within a day', async () => {
    const { cookie } = await newUser();
    const expiresAtMs = Date.now() + 6 * DAY_MS + 60_000;
    await setExpiry(cookie, expiresAtMs);
    for (const guard of guards) expect((await guard.ask(cookie)).setCookies).toEqual([]);
    expect((await expiryOf(cookie))?.getTime()).toBe(expiresAtMs);
  });

  test('many at once, on several replicas, do no harm', async () => {
    const { cookie } = await newUser();
    await setExpiry(cookie, Date.now() + DUE_MS);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => guards[at % 2]?.ask(cookie)),
    );
    for (const answer of answers) expect(answer?.status).toBe(200);
    expect(await validity(cookie)).toEqual(VALID);
  });

  test('does not come with a look, as a socket takes it', async () => {
    const { cookie } = await newUser();
    const expiresAtMs = Date.now() + DUE_MS;
    await setExpiry(cookie, expiresAtMs);
    expect(await here.services.userSessions.findUser({ cookie })).not.toBeNull();
    expect((await expiryOf(cookie))?.getTime()).toBe(expiresAtMs);
  });

  test('does not come for a session without "remember me"', async () => {
    const { cookie } = await newUser();
    const { authCookies } = await here.services.auth.$context;
    const expiresAtMs = Date.now() + DAY_MS;
    await setExpiry(cookie, expiresAtMs);
    const forThisVisit = `${cookie}; ${authCookies.dontRememberToken.name}=true`;
    expect(await guards[0]?.ask(forThisVisit)).toMatchObject({ status: 200, setCookies: [] });
    expect((await expiryOf(cookie))?.getTime()).toBe(expiresAtMs);
  });

  test('that fails takes nothing from the request', async () => {
    const { cookie } = await newUser();
    await setExpiry(cookie, Date.now() + DUE_MS);
    await here.services.userSessions.findUser({ cookie });
    await postgres.block();
    expect(await guards[0]?.ask(cookie)).toMatchObject({ status: 200, setCookies: [] });
  });
});

describe('takes effect on every replica at once:', () => {
  let user: TestUser;
  let other: string;
  async function twoSessions(): Promise<void> {
    user = await newUser();
    other = await signIn(there.services, user.id);
    for (const cookie of [user.cookie, other]) expect(await validity(cookie)).toEqual(VALID);
  }

  test('signing out', async () => {
    await twoSessions();
    await browser(user.cookie).post('/api/auth/sign-out', {});
    expect(await validity(user.cookie)).toEqual(INVALID);
    expect(await validity(other)).toEqual(VALID);
  });

  test('deleting a session', async () => {
    await twoSessions();
    await browser(user.cookie).post('/api/auth/revoke-session', { token: tokenOf(other) });
    expect(await validity(other)).toEqual(INVALID);
    expect(await validity(user.cookie)).toEqual(VALID);
  });

  test('deleting another user’s session, which does nothing', async () => {
    await twoSessions();
    const stranger = await newUser();
    await browser(stranger.cookie).post('/api/auth/revoke-session', { token: tokenOf(other) });
    expect(await validity(other)).toEqual(VALID);
  });

  test('signing out everywhere else', async () => {
    await twoSessions();
    await browser(user.cookie).post('/api/auth/revoke-other-sessions', {});
    expect(await validity(other)).toEqual(INVALID);
    expect(await validity(user.cookie)).toEqual(VALID);
  });

  test('signing out everywhere', async () => {
    await twoSessions();
    await browser(user.cookie).post('/api/auth/revoke-sessions', {});
    for (const cookie of [user.cookie, other]) expect(await validity(cookie)).toEqual(INVALID);
  });

  test('signing out everywhere, though Redis was lost in between', async () => {
    await twoSessions();
    await redis.flushall();
    await browser(user.cookie).post('/api/auth/revoke-other-sessions', {});
    expect(await validity(other)).toEqual(INVALID);
    expect(await validity(user.cookie)).toEqual(VALID);
  });

  test('signing out everywhere, with many sign-ins at once before', async () => {
    await twoSessions();
    const cookies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => signIn((at % 2 ? here : there).services, user.id)),
    );
    await browser(user.cookie).post('/api/auth/revoke-other-sessions', {});
    for (const cookie of cookies) expect(await validity(cookie)).toEqual(INVALID);
  });

  test('a new name', async () => {
    await twoSessions();
    await browser(user.cookie).post('/api/auth/update-user', { name: 'Grace' });
    for (const guard of guards)
      expect(await guard.ask(other)).toMatchObject({ body: { name: 'Grace' } });
  });
});

describe('a session that has ended', () => {
  test('does not come back by a renewal that was under way', async () => {
    const { cookie } = await newUser();
    const token = tokenOf(cookie);
    const cache = createSessionCache(there.services.redis, there.services.db);
    const json = (await cache.read(token))?.json ?? '';
    await browser(cookie).post('/api/auth/sign-out', {});
    await cache.write(token, json, 1000);
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('does not come back by a reload that was under way', async () => {
    const { cookie } = await newUser();
    await redis.flushall();
    const found = Promise.withResolvers<void>();
    const signedOut = Promise.withResolvers<void>();
    const slow = there.services.db.$extends({
      query: {
        session: {
          async findUnique({ args, query }) {
            const row = await query(args);
            found.resolve();
            await signedOut.promise;
            return row;
          },
        },
      },
    });
    const cache = createSessionCache(there.services.redis, slow as unknown as Database);
    const reading = cache.read(tokenOf(cookie));
    await found.promise;
    await browser(cookie).post('/api/auth/sign-out', {});
    signedOut.resolve();
    await reading;
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('is noticed within minutes, though only PostgreSQL knows', async () => {
    const { cookie } = await newUser();
    await here.services.db.session.delete({ where: { token: tokenOf(cookie) } });
    await makeStale(cookie);
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('stays valid while only PostgreSQL, being away, could tell', async () => {
    const { cookie } = await newUser();
    await makeStale(cookie);
    await postgres.block();
    expect(await validity(cookie)).toEqual(VALID);
  });

  /** As if PostgreSQL had last been asked long ago. */
  async function makeStale(cookie: string): Promise<void> {
    const key = `auth:session:${tokenOf(cookie)}`;
    const copy = await redis.get(key);
    await redis.set(key, copy?.replace(/^\d+/, '0') ?? '', 'KEEPTTL');
  }
});
