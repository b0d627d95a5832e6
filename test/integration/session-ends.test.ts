// When a session ends: by its age, by another sign-in, by a change of password; and what asks for a
// young one. [contract 17]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTwoReplicas, type TwoReplicas } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import type { TestService } from '../support/service.ts';
import { createSignedInUser, givePassword, signIn, type TestUser } from '../support/users.ts';

const DAY_MS = 24 * 3600 * 1000;
const PASSWORD = 'correct horse';

let replicas: TwoReplicas;
let here: TestService;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  here = replicas.here;
});
afterAll(() => replicas.stop());

const browser = (cookie = '') => createHttpClient(here.url, { cookie });
const tokenOf = (cookie: string) =>
  decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
const isValid = (cookie: string) => replicas.isValid(cookie);
const newUser = () => createSignedInUser(here.services);

async function userWithPassword(): Promise<TestUser> {
  const user = await newUser();
  await givePassword(here.services, user.id, PASSWORD);
  return user;
}

/** What a link to a new password carries. */
async function resetTokenFor({ id }: TestUser): Promise<string> {
  const token = randomUUID();
  const { internalAdapter } = await here.services.auth.$context;
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: id,
    expiresAt: new Date(Date.now() + 60_000),
  });
  return token;
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
    await replicas.there.services.userSessions.findAndRenew({ cookie: other.cookie });
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
    const others = await Promise.all([1, 2].map(() => signIn(replicas.there.services, user.id)));
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

describe('where the sessions can’t be ended', () => {
  beforeAll(async () => {
    const { db } = here.services;
    await db.$executeRaw`
      CREATE FUNCTION keep_session() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'out of order'; END $$`;
    await db.$executeRaw`
      CREATE TRIGGER keep_session BEFORE DELETE ON session
      FOR EACH ROW EXECUTE FUNCTION keep_session()`;
  });
  afterAll(async () => {
    await here.services.db.$executeRaw`DROP FUNCTION keep_session CASCADE`;
  });
  const hashOf = (userId: string) =>
    here.services.db.account.findFirstOrThrow({ where: { userId }, select: { password: true } });

  test('a reset leaves the password as it is, and its link good', async () => {
    const user = await userWithPassword();
    const before = await hashOf(user.id);
    const token = await resetTokenFor(user);
    const reset = () =>
      browser().post('/api/auth/reset-password', { newPassword: 'a better horse', token });
    expect((await reset()).status).toBe(500);
    expect(await hashOf(user.id)).toEqual(before);
    expect((await reset()).status).toBe(500);
  });

  test('a change leaves the password as it is', async () => {
    const user = await userWithPassword();
    await signIn(here.services, user.id);
    const before = await hashOf(user.id);
    const change = { currentPassword: PASSWORD, newPassword: 'a better horse' };
    const answer = await browser(user.cookie).post('/api/auth/change-password', change);
    expect(answer.status).toBe(500);
    expect(await hashOf(user.id)).toEqual(before);
  });
});

test('of any number of resets by one link at once, one counts', async () => {
  const user = await userWithPassword();
  const token = await resetTokenFor(user);
  const chosen = ['a better horse', 'a faster horse', 'a third horse'];
  const answers = await Promise.all(
    chosen.map((newPassword) => browser().post('/api/auth/reset-password', { newPassword, token })),
  );
  const statuses = answers.map(({ status }) => status);
  expect([...statuses].sort()).toEqual([200, 400, 400]);
  const credentials = { email: user.email, password: chosen[statuses.indexOf(200)] };
  expect((await browser().post('/api/auth/sign-in/email', credentials)).status).toBe(200);
  expect(await isValid(user.cookie)).toBe(false);
});

test('a new password is neither common, nor the address, nor the name, and a refused reset keeps its token', async () => {
  const user = await userWithPassword();
  const client = browser(user.cookie);
  const refused = { status: 400, body: { code: 'PASSWORD_TOO_COMMON' } };
  const token = await resetTokenFor(user);
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
