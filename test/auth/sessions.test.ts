// A session is valid on every replica, without PostgreSQL, and after the loss of Redis. [contract 6]
import { afterAll, afterEach, test as base, beforeAll, describe, expect } from 'vitest';
import { createSessionCache } from '../../src/auth/sessions/secondary-storage.ts';
import type { Database } from '../../src/platform/postgres/postgres.ts';
import { createGuardedRoute, type GuardedRoute } from '../support/edge.ts';
import { createHttpClient } from '../support/http-client.ts';
import { SHORT_OUTAGES, startReplicas, type TestService } from '../support/service.ts';
import { useStores } from '../support/stores.ts';
import { startProxyOf, type TcpProxy } from '../support/tcp-proxy.ts';
import { createSignedInUser, sessionTokenOf, signIn } from '../support/users.ts';

const DAY_MS = 24 * 3600 * 1000;

const stores = useStores();
let postgres: TcpProxy;
let here: TestService;
let there: TestService;
let guards: GuardedRoute[];

beforeAll(async () => {
  const { proxy, url: databaseUrl } = await startProxyOf(stores.databaseUrl);
  postgres = proxy;
  [here, there] = (await startReplicas({ ...stores, databaseUrl }, 2, SHORT_OUTAGES)) as [TestService, TestService];
  guards = await Promise.all([here, there].map(createGuardedRoute));
});
afterEach(() => postgres.unblock());
afterAll(async () => {
  for (const guard of guards) await guard.close();
  for (const replica of [here, there]) await replica.stop();
  await postgres.stop();
});

const newUser = () => createSignedInUser(here.services);
const test = base
  .extend('user', newUser)
  .extend('cookie', ({ user }) => user.cookie)
  .extend('other', async ({ user }) => {
    const other = await signIn(there.services, user.id);
    for (const cookie of [user.cookie, other]) expect(await validity(cookie)).toEqual(VALID);
    return other;
  });
const browser = (cookie: string) => createHttpClient(here.url, { cookie });

/** @returns the statuses of a guarded route and of get-session on both replicas */
async function validity(cookie: string): Promise<unknown[]> {
  const guarded = guards.map(async (guard) => (await guard.ask(cookie)).status);
  const unguarded = [here, there].map(async ({ url }) => {
    const { body } = await browser(cookie).at(url).get('/api/auth/get-session');
    return body === null ? 401 : 200;
  });
  return Promise.all([...guarded, ...unguarded]);
}
const VALID = [200, 200, 200, 200];
const INVALID = [401, 401, 401, 401];

/** Sets when a session ends and removes its copy in Redis. */
async function setExpiry(cookie: string, expiresAtMs: number): Promise<void> {
  const token = sessionTokenOf(cookie);
  await here.services.db.session.update({ where: { token }, data: { expiresAt: new Date(expiresAtMs) } });
  await here.services.redis.del(`auth:session:${token}`);
}
const expiryOf = async (cookie: string) =>
  (await here.services.db.session.findUnique({ where: { token: sessionTokenOf(cookie) } }))?.expiresAt;

describe('a session', () => {
  test('identifies the user on every replica', async ({ user }) => {
    const { id, name, email, cookie } = user;
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

  test('is valid while PostgreSQL is away', async ({ cookie }) => {
    await postgres.block();
    expect(await validity(cookie)).toEqual(VALID);
  });

  test('survives the loss of Redis, which has a copy again after the first use', async ({ cookie }) => {
    await here.services.redis.flushall();
    expect(await validity(cookie)).toEqual(VALID);
    await postgres.block();
    expect(await validity(cookie)).toEqual(VALID);
  });

  test('ends when it expires', async ({ cookie }) => {
    await setExpiry(cookie, Date.now() + 1500);
    const findUser = () => here.services.userSessions.findUser({ cookie });
    expect(await findUser()).not.toBeNull();
    await expect.poll(findUser).toBeNull();
    expect(await validity(cookie)).toEqual(INVALID);
  });
});

describe('renewal', () => {
  const DUE_MS = 6 * DAY_MS - 1000;

  test('comes with the first guarded request after a day, which also gets a new cookie', async ({ cookie }) => {
    await setExpiry(cookie, Date.now() + DUE_MS);
    expect((await guards[0]?.ask(cookie))?.setCookies).toEqual([
      expect.stringMatching(/session_token=[^;]+; Max-Age=604800;/),
    ]);
    expect((await expiryOf(cookie))?.getTime()).toBeGreaterThan(Date.now() + 7 * DAY_MS - 60_000);
    for (const guard of guards) expect((await guard.ask(cookie)).setCookies).toEqual([]);
  });

  test('of one session by many concurrent requests on several replicas leaves it valid', async ({ cookie }) => {
    await setExpiry(cookie, Date.now() + DUE_MS);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => guards[at % 2]?.ask(cookie)));
    for (const answer of answers) expect(answer?.status).toBe(200);
    expect(await validity(cookie)).toEqual(VALID);
  });

  test('does not come with findUser(), which sockets call', async ({ cookie }) => {
    const expiresAtMs = Date.now() + DUE_MS;
    await setExpiry(cookie, expiresAtMs);
    expect(await here.services.userSessions.findUser({ cookie })).not.toBeNull();
    expect((await expiryOf(cookie))?.getTime()).toBe(expiresAtMs);
  });

  test('does not come for a session without "remember me"', async ({ cookie }) => {
    const { authCookies } = await here.services.auth.$context;
    const expiresAtMs = Date.now() + DAY_MS;
    await setExpiry(cookie, expiresAtMs);
    const unremembered = `${cookie}; ${authCookies.dontRememberToken.name}=true`;
    expect(await guards[0]?.ask(unremembered)).toMatchObject({ status: 200, setCookies: [] });
    expect((await expiryOf(cookie))?.getTime()).toBe(expiresAtMs);
  });

  test('does not fail the request when it fails itself', async ({ cookie }) => {
    await setExpiry(cookie, Date.now() + DUE_MS);
    await here.services.userSessions.findUser({ cookie });
    await postgres.block();
    expect(await guards[0]?.ask(cookie)).toMatchObject({ status: 200, setCookies: [] });
  });
});

describe('every replica applies at once', () => {
  test.for([
    ['sign-out', {}, INVALID, VALID],
    ['revoke-session', 'of the other', VALID, INVALID],
    ['revoke-other-sessions', {}, VALID, INVALID],
    ['revoke-sessions', {}, INVALID, INVALID],
  ] as const)('the end of sessions by %s', async ([path, body, own, others], { user, other }) => {
    const token = { token: sessionTokenOf(other) };
    await browser((await newUser()).cookie).post('/api/auth/revoke-session', token);
    expect(await validity(other)).toEqual(VALID);
    await browser(user.cookie).post(`/api/auth/${path}`, body === 'of the other' ? token : body);
    expect(await validity(user.cookie)).toEqual(own);
    expect(await validity(other)).toEqual(others);
  });

  test('the end of all other sessions after many concurrent sign-ins', async ({ user }) => {
    const cookies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => signIn((at % 2 ? here : there).services, user.id)),
    );
    await browser(user.cookie).post('/api/auth/revoke-other-sessions', {});
    for (const cookie of cookies) expect(await validity(cookie)).toEqual(INVALID);
  });

  test('a new name of the user', async ({ user, other }) => {
    await browser(user.cookie).post('/api/auth/update-user', { name: 'Grace' });
    for (const guard of guards) expect(await guard.ask(other)).toMatchObject({ body: { name: 'Grace' } });
  });
});

describe('a session that has ended', () => {
  test('is not restored by a concurrent renewal', async ({ cookie }) => {
    const token = sessionTokenOf(cookie);
    const cache = createSessionCache(there.services.redis, there.services.db);
    const json = (await cache.read(token))?.json ?? '';
    await browser(cookie).post('/api/auth/sign-out', {});
    await cache.write(token, json, 1000);
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('is not restored by a concurrent reload from PostgreSQL', async ({ cookie }) => {
    await here.services.redis.flushall();
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
    const reading = cache.read(sessionTokenOf(cookie));
    await found.promise;
    await browser(cookie).post('/api/auth/sign-out', {});
    signedOut.resolve();
    await reading;
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('in PostgreSQL alone is invalid once the copy in Redis is stale', async ({ cookie }) => {
    await here.services.db.session.delete({ where: { token: sessionTokenOf(cookie) } });
    await makeStale(cookie);
    expect(await validity(cookie)).toEqual(INVALID);
  });

  test('stays valid by a stale copy while PostgreSQL is away', async ({ cookie }) => {
    await makeStale(cookie);
    await postgres.block();
    expect(await validity(cookie)).toEqual(VALID);
  });

  /** Makes a copy that is due to be compared with PostgreSQL. */
  async function makeStale(cookie: string): Promise<void> {
    const key = `auth:session:${sessionTokenOf(cookie)}`;
    const { redis } = here.services;
    const copy = await redis.get(key);
    await redis.set(key, copy?.replace(/^\d+/, '0') ?? '', 'KEEPTTL');
  }
});
