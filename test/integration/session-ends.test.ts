// When a session ends: by its age, by another sign-in, by a change of password; and what asks for a
// young one. [contract 17]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser, givePassword, signIn, type TestUser } from '../support/users.ts';

const DAY_MS = 24 * 3600 * 1000;
const PASSWORD = 'correct horse';

let stores: TestStores;
let here: TestService;
let there: TestService;

beforeAll(async () => {
  stores = await startStores();
  [here, there] = (await startReplicas(stores, 2)) as [TestService, TestService];
});
afterAll(async () => {
  for (const replica of [here, there]) await replica.stop();
  await stores.stop();
});

const browser = (cookie = '') => createHttpClient(here.url, { cookie });
const tokenOf = (cookie: string) =>
  decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
const isValid = async (cookie: string) =>
  (await there.services.userSessions.findUser({ cookie })) !== null;
const newUser = () => createSignedInUser(here.services);

async function userWithPassword(): Promise<TestUser> {
  const user = await newUser();
  await givePassword(here.services, user.id, PASSWORD);
  return user;
}

/** Sets when the sign-in was and when the session ends, and forgets its copy. */
async function setTimes(cookie: string, signedInAgoMs: number, remainingMs: number) {
  const token = tokenOf(cookie);
  const createdAt = new Date(Date.now() - signedInAgoMs);
  const expiresAt = new Date(Date.now() + remainingMs);
  await here.services.db.session.update({ where: { token }, data: { createdAt, expiresAt } });
  await here.services.redis.del(`auth:session:${token}`);
  return createdAt.getTime() + 90 * DAY_MS;
}
const rowOf = (cookie: string) =>
  here.services.db.session.findUniqueOrThrow({ where: { token: tokenOf(cookie) } });

describe('a session ends 90 days after its sign-in at the latest,', () => {
  test('however often it is renewed, by get-session or by a guarded request', async () => {
    const { cookie } = await newUser();
    const endMs = await setTimes(cookie, 86 * DAY_MS, 3 * DAY_MS);
    const seen = await browser(cookie).get('/api/auth/get-session');
    expect(Date.parse(seen.body.session.expiresAt)).toBe(endMs);
    expect((await rowOf(cookie)).expiresAt.getTime()).toBe(endMs);

    const other = await newUser();
    const otherEndMs = await setTimes(other.cookie, 86 * DAY_MS, 3 * DAY_MS);
    await there.services.userSessions.findAndRenew({ cookie: other.cookie });
    expect((await rowOf(other.cookie)).expiresAt.getTime()).toBe(otherEndMs);
  });

  test('and is not renewed once nothing remains to be gained', async () => {
    const { cookie } = await newUser();
    await setTimes(cookie, 86 * DAY_MS, 3 * DAY_MS);
    const { userSessions } = here.services;
    expect((await userSessions.findAndRenew({ cookie }))?.setCookies).toHaveLength(1);
    const { updatedAt } = await rowOf(cookie);
    expect((await userSessions.findAndRenew({ cookie }))?.setCookies).toEqual([]);
    expect((await rowOf(cookie)).updatedAt).toEqual(updatedAt);
  });
});

describe('any successful sign-in with a session cookie', () => {
  test('ends that session on every replica, whosever it was', async () => {
    const [user, stranger] = [await userWithPassword(), await newUser()];
    for (const before of [user.cookie, stranger.cookie]) {
      const client = browser(before);
      const credentials = { email: user.email, password: PASSWORD };
      expect(await client.post('/api/auth/sign-in/email', credentials)).toMatchObject({
        status: 200,
      });
      expect(await isValid(before)).toBe(false);
      expect(await isValid(client.cookie())).toBe(true);
    }
  });

  test('leaves other sessions, and one that fails leaves them all', async () => {
    const user = await userWithPassword();
    const elsewhere = await signIn(here.services, user.id);
    const wrong = { email: user.email, password: 'wrong horse' };
    await browser(user.cookie).post('/api/auth/sign-in/email', wrong);
    await browser().post('/api/auth/sign-in/email', { ...wrong, password: PASSWORD });
    for (const cookie of [user.cookie, elsewhere]) expect(await isValid(cookie)).toBe(true);
  });
});

test('a change of password ends all other sessions, asked for or not, and no more', async () => {
  for (const more of [{}, { revokeOtherSessions: false }, { revokeOtherSessions: true }]) {
    const user = await userWithPassword();
    const others = await Promise.all([1, 2].map(() => signIn(there.services, user.id)));
    const client = browser(user.cookie);
    const change = { currentPassword: PASSWORD, newPassword: 'a better horse', ...more };
    const wrong = { ...change, currentPassword: 'wrong horse' };
    expect((await client.post('/api/auth/change-password', wrong)).status).toBe(400);
    expect(await isValid(others[0] ?? '')).toBe(true);
    expect((await client.post('/api/auth/change-password', change)).status).toBe(200);
    for (const cookie of others) expect(await isValid(cookie)).toBe(false);
    expect(await isValid(client.cookie())).toBe(true);
    if (!('revokeOtherSessions' in more)) expect(await isValid(user.cookie)).toBe(true);
  }
});

test('a new password is neither common, nor the address, nor the name, and a refused reset keeps its token', async () => {
  const user = await userWithPassword();
  const client = browser(user.cookie);
  const refused = { status: 400, body: { code: 'PASSWORD_TOO_COMMON' } };
  const token = randomUUID();
  const { internalAdapter } = await here.services.auth.$context;
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: user.id,
    expiresAt: new Date(Date.now() + 60_000),
  });
  for (const newPassword of ['password1', user.email.toUpperCase(), ` ${user.name} `]) {
    const change = { currentPassword: PASSWORD, newPassword };
    expect(await client.post('/api/auth/change-password', change)).toMatchObject(refused);
    const reset = { newPassword, token };
    expect(await browser().post('/api/auth/reset-password', reset)).toMatchObject(refused);
  }
  const reset = { newPassword: 'a better horse', token };
  expect((await browser().post('/api/auth/reset-password', reset)).status).toBe(200);
});

test('one’s devices can be listed long after the sign-in', async () => {
  const { cookie } = await newUser();
  await setTimes(cookie, 3 * DAY_MS, DAY_MS);
  const listed = await browser(cookie).get('/api/auth/list-sessions');
  expect(listed.body).toEqual([expect.objectContaining({ token: tokenOf(cookie) })]);
});

test('what is kept of a client’s program is short, since it is read with every request', async () => {
  const user = await userWithPassword();
  const client = browser();
  const credentials = { email: user.email, password: PASSWORD };
  await client.post('/api/auth/sign-in/email', credentials, { 'user-agent': 'x'.repeat(8000) });
  expect((await rowOf(client.cookie())).userAgent).toBe('x'.repeat(300));
});

test('a name is stored as it is compared, and a picture can be taken away', async () => {
  const { cookie } = await newUser();
  const client = browser(cookie);
  const update = (body: object) => client.post('/api/auth/update-user', body);
  const image = 'https://pictures.example/1';
  expect((await update({ name: ' Zoe\u0308 ', image })).status).toBe(200);
  const seen = async () => (await client.get('/api/auth/get-session')).body.user;
  expect(await seen()).toMatchObject({ name: 'Zoë', image });
  expect((await update({ image: null })).status).toBe(200);
  expect(await seen()).toMatchObject({ name: 'Zoë', image: null });
  for (const [fault, code] of [
    [{ name: 'a\u202eb' }, 'INVALID_NAME'],
    [{ name: 7 }, 'INVALID_NAME'],
    [{ name: null }, 'INVALID_NAME'],
    [{ image: 'x'.repeat(60_000) }, 'INVALID_IMAGE'],
  ] as const)
    expect(await update(fault)).toMatchObject({ status: 400, body: { code } });
});
