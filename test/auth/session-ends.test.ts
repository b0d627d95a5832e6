// A session ends by its age, by another sign-in or by a change of the password; some requests need a recent
// sign-in. [contract 17]
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createResetToken, signIn as enter, PASSWORD, useTwoReplicas } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createPerson, createSignedInUser, sessionTokenOf, signIn } from '../support/users.ts';

const DAY_MS = 24 * 3600 * 1000;

const { here, there, isValid } = useTwoReplicas();

const browser = (cookie = '') => createHttpClient(here.url, { cookie });
const newUser = () => createSignedInUser(here.services);

const personWithPassword = () => createPerson(here, { password: PASSWORD });

/** Sets the times of a session in PostgreSQL and removes its copy in Redis. @returns its latest end, in ms */
async function setTimes(cookie: string, signedInAgoMs: number, remainingMs: number) {
  const token = sessionTokenOf(cookie);
  const createdAt = new Date(Date.now() - signedInAgoMs);
  const expiresAt = new Date(Date.now() + remainingMs);
  await here.services.db.session.update({ where: { token }, data: { createdAt, expiresAt } });
  await here.services.redis.del(`auth:session:${token}`);
  return createdAt.getTime() + 90 * DAY_MS;
}
const rowOf = (cookie: string) =>
  here.services.db.session.findUniqueOrThrow({ where: { token: sessionTokenOf(cookie) } });

describe('a session', () => {
  test('ends 90 days after its sign-in at the latest, whether get-session or a guarded request renews it', async () => {
    const { cookie } = await newUser();
    const endMs = await setTimes(cookie, 86 * DAY_MS, 3 * DAY_MS);
    const { body } = await browser(cookie).get('/api/auth/get-session');
    expect(Date.parse(body.session.expiresAt)).toBe(endMs);
    expect((await rowOf(cookie)).expiresAt.getTime()).toBe(endMs);

    const other = await newUser();
    const otherEndMs = await setTimes(other.cookie, 86 * DAY_MS, 3 * DAY_MS);
    await there.services.userSessions.findAndRenew({ cookie: other.cookie });
    expect((await rowOf(other.cookie)).expiresAt.getTime()).toBe(otherEndMs);
  });

  test('is not renewed once it ends at its latest time anyway', async () => {
    const { cookie } = await newUser();
    await setTimes(cookie, 86 * DAY_MS, 3 * DAY_MS);
    const { userSessions } = here.services;
    expect((await userSessions.findAndRenew({ cookie }))?.setCookies).toHaveLength(1);
    const { updatedAt } = await rowOf(cookie);
    expect((await userSessions.findAndRenew({ cookie }))?.setCookies).toEqual([]);
    expect((await rowOf(cookie)).updatedAt).toEqual(updatedAt);
  });
});

describe('a sign-in with a session cookie', () => {
  test('ends that session on every replica, whichever user it was of', async () => {
    const [{ user }, stranger] = [await personWithPassword(), await newUser()];
    for (const before of [user.cookie, stranger.cookie]) {
      const client = browser(before);
      expect(await enter(client, user.email)).toMatchObject({ status: 200 });
      expect(await isValid(before)).toBe(false);
      expect(await isValid(client.cookie())).toBe(true);
    }
  });

  test('sets the cookie of its own session also when the other one has ended', async () => {
    const { user } = await personWithPassword();
    const guest = browser();
    await guest.post('/api/v1/guests', { name: 'Gil' });
    for (const before of [user.cookie, guest.cookie()]) {
      await browser(before).post('/api/auth/sign-out', {});
      const client = browser(before);
      await enter(client, user.email);
      expect(await isValid(client.cookie())).toBe(true);
    }
  });

  test('ends no other session, and no session at all when it fails', async () => {
    const { user, client } = await personWithPassword();
    const elsewhere = await signIn(here.services, user.id);
    await enter(client, user.email, 'wrong horse');
    await enter(browser(), user.email);
    for (const cookie of [user.cookie, elsewhere]) expect(await isValid(cookie)).toBe(true);
  });
});

test('a change of the password ends all other sessions, whatever revokeOtherSessions says', async () => {
  for (const more of [{}, { revokeOtherSessions: false }]) {
    const { user, client } = await personWithPassword();
    const others = await Promise.all([1, 2].map(() => signIn(there.services, user.id)));
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

describe('while sessions can’t be ended', () => {
  beforeAll(async () => {
    const { db } = here.services;
    await db.$executeRaw`
      CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'out of order'; END $$`;
    await db.$executeRaw`
      CREATE TRIGGER refuse_deletion BEFORE DELETE ON session
      FOR EACH ROW EXECUTE FUNCTION refuse_deletion()`;
  });
  afterAll(async () => {
    await here.services.db.$executeRaw`DROP FUNCTION refuse_deletion CASCADE`;
  });
  const hashOf = (userId: string) =>
    here.services.db.account.findFirstOrThrow({ where: { userId }, select: { password: true } });

  test('a reset fails without a change of the password, and its link stays valid', async () => {
    const { user } = await personWithPassword();
    const before = await hashOf(user.id);
    const token = await createResetToken(here.services, user.id);
    const reset = () => browser().post('/api/auth/reset-password', { newPassword: 'a better horse', token });
    expect((await reset()).status).toBe(500);
    expect(await hashOf(user.id)).toEqual(before);
    expect((await reset()).status).toBe(500);
  });

  test('a change of the password fails and has no effect', async () => {
    const { user, client } = await personWithPassword();
    await signIn(here.services, user.id);
    const before = await hashOf(user.id);
    const change = { currentPassword: PASSWORD, newPassword: 'a better horse' };
    expect((await client.post('/api/auth/change-password', change)).status).toBe(500);
    expect(await hashOf(user.id)).toEqual(before);
  });
});

test('of concurrent resets by one link one succeeds', async () => {
  const { user } = await personWithPassword();
  const token = await createResetToken(here.services, user.id);
  const chosen = ['a better horse', 'a faster horse', 'a third horse'];
  const answers = await Promise.all(
    chosen.map((newPassword) => browser().post('/api/auth/reset-password', { newPassword, token })),
  );
  const statuses = answers.map(({ status }) => status);
  expect([...statuses].sort()).toEqual([200, 400, 400]);
  expect((await enter(browser(), user.email, chosen[statuses.indexOf(200)])).status).toBe(200);
  expect(await isValid(user.cookie)).toBe(false);
});

test('a new password that is common, the address or the name is refused, and the token of a refused reset stays valid', async () => {
  const { user, client } = await personWithPassword();
  const refused = { status: 400, body: { code: 'PASSWORD_TOO_COMMON' } };
  const token = await createResetToken(here.services, user.id);
  for (const newPassword of ['password1', user.email.toUpperCase(), ` ${user.name} `]) {
    const change = { currentPassword: PASSWORD, newPassword };
    expect(await client.post('/api/auth/change-password', change)).toMatchObject(refused);
    expect(await browser().post('/api/auth/reset-password', { newPassword, token })).toMatchObject(refused);
  }
  const reset = { newPassword: 'a better horse', token };
  expect((await browser().post('/api/auth/reset-password', reset)).status).toBe(200);
});

test('a session has at most 300 characters of the User-Agent, since every request reads it', async () => {
  const { email } = (await personWithPassword()).user;
  const client = browser();
  const credentials = { email, password: PASSWORD };
  await client.post('/api/auth/sign-in/email', credentials, { 'user-agent': 'x'.repeat(8000) });
  expect((await rowOf(client.cookie())).userAgent).toBe('x'.repeat(300));
});

test('a name is stored trimmed and in NFC, and a picture can be removed', async () => {
  const { client } = await createPerson(here);
  const update = (body: object) => client.post('/api/auth/update-user', body);
  const image = 'https://pictures.example/1';
  expect((await update({ name: ' Zoe\u0308 ', image })).status).toBe(200);
  const currentUser = async () => (await client.get('/api/auth/get-session')).body.user;
  expect(await currentUser()).toMatchObject({ name: 'Zoë', image });
  expect((await update({ image: null })).status).toBe(200);
  expect(await currentUser()).toMatchObject({ name: 'Zoë', image: null });
  for (const [fault, code] of [
    [{ name: 'a\u202eb' }, 'INVALID_NAME'],
    [{ name: 7 }, 'INVALID_NAME'],
    [{ name: null }, 'INVALID_NAME'],
    [{ image: 'x'.repeat(60_000) }, 'INVALID_IMAGE'],
  ] as const)
    expect(await update(fault)).toMatchObject({ status: 400, body: { code } });
});
