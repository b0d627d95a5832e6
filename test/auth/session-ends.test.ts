// A session ends by its age, by another sign-in or by a change of the password; some requests need a recent
// sign-in. [contract 17]
import { test as base, describe, expect } from 'vitest';
import { createResetToken, signIn as enter, PASSWORD, resetPassword, useTwoReplicas } from '../support/accounts.ts';
import { codeOf, createHttpClient } from '../support/http-client.ts';
import { withTrigger } from '../support/sql.ts';
import { createPerson, createSignedInUser, sessionTokenOf, signIn } from '../support/users.ts';

const DAY_MS = 24 * 3600 * 1000;

const { here, there, isValid } = useTwoReplicas();

const browser = (cookie = '') => createHttpClient(here.url, { cookie });
const newUser = () => createSignedInUser(here.services);

const personWithPassword = () => createPerson(here, { password: PASSWORD });
const test = base.extend('person', personWithPassword).extend('resetToken', ({ person }) => {
  return createResetToken(here.services, person.user.id);
});

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
  test('ends that session on every replica, whichever user it was of', async ({ person: { user } }) => {
    const stranger = await newUser();
    for (const before of [user.cookie, stranger.cookie]) {
      const client = browser(before);
      expect(await enter(client, user.email)).toMatchObject({ status: 200 });
      expect(await isValid(before)).toBe(false);
      expect(await isValid(client.cookie())).toBe(true);
    }
  });

  test('sets the cookie of its own session also when the other one has ended', async ({ person: { user } }) => {
    const guest = browser();
    await guest.post('/api/v1/guests', { name: 'Gil' });
    for (const before of [user.cookie, guest.cookie()]) {
      await browser(before).post('/api/auth/sign-out', {});
      const client = browser(before);
      await enter(client, user.email);
      expect(await isValid(client.cookie())).toBe(true);
    }
  });

  test('ends no other session, and no session at all when it fails', async ({ person: { user, client } }) => {
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
  const whileSessionsStay = (work: () => Promise<void>) =>
    withTrigger(here.services.db, { when: 'BEFORE DELETE ON session', body: `RAISE 'out of order';` }, work);
  const hashOf = (userId: string) =>
    here.services.db.account.findFirstOrThrow({ where: { userId }, select: { password: true } });

  test('a reset fails without a change of the password, and its link stays valid', async ({ person, resetToken }) => {
    const before = await hashOf(person.user.id);
    await whileSessionsStay(async () => {
      for (let time = 0; time < 2; time++) {
        expect((await resetPassword(browser(), resetToken, 'a better horse')).status).toBe(500);
        expect(await hashOf(person.user.id)).toEqual(before);
      }
    });
  });

  test('a change of the password fails and has no effect', async ({ person: { user, client } }) => {
    await signIn(here.services, user.id);
    const before = await hashOf(user.id);
    const change = { currentPassword: PASSWORD, newPassword: 'a better horse' };
    await whileSessionsStay(async () => {
      expect((await client.post('/api/auth/change-password', change)).status).toBe(500);
    });
    expect(await hashOf(user.id)).toEqual(before);
  });
});

test('of concurrent resets by one link one succeeds', async ({ person: { user }, resetToken }) => {
  const chosen = ['a better horse', 'a faster horse', 'a third horse'];
  const answers = await Promise.all(chosen.map((password) => resetPassword(browser(), resetToken, password)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 400, 400]);
  expect((await enter(browser(), user.email, chosen[statuses.indexOf(200)])).status).toBe(200);
  expect(await isValid(user.cookie)).toBe(false);
});

test('a new password that is common, the address or the name is refused, and the token of a refused reset stays valid', async () => {
  const { user, client } = await personWithPassword();
  const resetToken = await createResetToken(here.services, user.id);
  const refused = { status: 400, body: { code: 'PASSWORD_TOO_COMMON' } };
  for (const newPassword of ['password1', user.email.toUpperCase(), ` ${user.name} `]) {
    const change = { currentPassword: PASSWORD, newPassword };
    expect(await client.post('/api/auth/change-password', change)).toMatchObject(refused);
    expect(await resetPassword(browser(), resetToken, newPassword)).toMatchObject(refused);
  }
  expect((await resetPassword(browser(), resetToken, 'a better horse')).status).toBe(200);
});

test('a session has at most 300 characters of the User-Agent, since every request reads it', async ({ person }) => {
  const client = browser();
  const credentials = { email: person.user.email, password: PASSWORD };
  await client.post('/api/auth/sign-in/email', credentials, { 'user-agent': 'x'.repeat(8000) });
  expect((await rowOf(client.cookie())).userAgent).toBe('x'.repeat(300));
});

test('a name is stored trimmed and in NFC, and a picture can be removed', async ({ person: { client } }) => {
  const update = (body: object) => client.post('/api/auth/update-user', body);
  const image = 'https://pictures.example/1';
  expect((await update({ name: ' Zoe\u0308 ', image })).status).toBe(200);
  const currentUser = async () => (await client.get('/api/auth/get-session')).body.user;
  expect(await currentUser()).toMatchObject({ name: 'Zoë', image });
  expect((await update({ image: null })).status).toBe(200);
  expect(await currentUser()).toMatchObject({ name: 'Zoë', image: null });
  for (const name of ['a\u202eb', 7, null]) expect(codeOf(await update({ name }))).toEqual([400, 'INVALID_NAME']);
  expect(codeOf(await update({ image: 'x'.repeat(60_000) }))).toEqual([400, 'INVALID_IMAGE']);
});
