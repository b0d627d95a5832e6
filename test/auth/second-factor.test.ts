// A user can protect the sign-in by an authenticator app as a second factor. A sign-in on a trusted device asks for no
// code until an event revokes the trust. [contract 17]
import { test as base, expect } from 'vitest';
import { signOutEverywhere } from '../../src/accounts/store.ts';
import { createResetToken, signIn as enter, PASSWORD, resetPassword, useTwoReplicas } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import {
  createProtectedUser,
  enableSecondFactor,
  type ProtectedUser,
  sendCode,
  startSignIn,
  totpCode,
} from '../support/second-factor.ts';
import { withTrigger } from '../support/sql.ts';
import { createPerson, signIn, type TestUser } from '../support/users.ts';

const { here, isValid } = useTwoReplicas();

const test = base.extend('owner', () => createProtectedUser(here));

/** Signs in up to the code. @param cookie of an earlier session */
async function enterPassword(user: TestUser, cookie = ''): Promise<HttpClient> {
  const client = await startSignIn(user, createHttpClient(here.url, { cookie }));
  expect(await isValid(client.cookie())).toBe(false);
  return client;
}

test('a sign-in needs a right code as well, on any replica, and ends the session whose cookie it had', async () => {
  const { user, client: before, secret } = await createProtectedUser(here);
  const client = await enterPassword(user, before.cookie());
  expect(await isValid(before.cookie())).toBe(false);
  const code = String((Number(totpCode(secret)) + 1) % 1_000_000).padStart(6, '0');
  const refused = await client.post('/api/auth/two-factor/verify-totp', { code });
  expect(refused).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
  expect((await sendCode(client, secret)).status).toBe(200);
  expect(await isValid(client.cookie())).toBe(true);
});

test('a second factor needs the password to be set up, and is not in force before a right code', async () => {
  const { user, client } = await createPerson(here, { password: PASSWORD });
  const enable = (password: string) => client.post('/api/auth/two-factor/enable', { password });
  expect((await enable('wrong horse')).status).toBe(400);
  expect((await enable(PASSWORD)).status).toBe(200);
  expect((await enter(createHttpClient(here.url), user.email)).body.user.email).toBe(user.email);
});

test('of two concurrent set-ups the later one is refused with 409', async () => {
  const { client } = await createPerson(here, { password: PASSWORD });
  const enable = () => client.post('/api/auth/two-factor/enable', { password: PASSWORD });
  // The trigger inserts another set-up between the request's read and its write.
  const body = `
    IF pg_trigger_depth() = 1 THEN
      INSERT INTO two_factor (user_id, secret, backup_codes) VALUES (NEW.user_id, '', '');
    END IF;
    RETURN NEW;`;
  await withTrigger(here.services.db, { when: 'BEFORE INSERT ON two_factor', body }, async () => {
    expect(await enable()).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
  });
  expect((await enable()).status).toBe(200);
});

test('a backup code completes one sign-in', async ({ owner }) => {
  const [code] = owner.backupCodes;
  for (const status of [200, 401]) {
    const client = await enterPassword(owner.user);
    expect((await client.post('/api/auth/two-factor/verify-backup-code', { code })).status).toBe(status);
  }
});

test('of any number of concurrent codes at most ten are checked in a quarter of an hour', async ({ owner }) => {
  const { user, secret } = owner;
  const challenges: HttpClient[] = [];
  for (let count = 0; count < 12; count++) challenges.push(await enterPassword(user));
  const guesses = challenges.flatMap((client) =>
    Array.from({ length: 20 }, (_, guess) =>
      client.post('/api/auth/two-factor/verify-totp', { code: `0000${guess + 10}` }),
    ),
  );
  const answers = await Promise.all(guesses);
  const checked = answers.filter(({ body }) => body.code === 'INVALID_CODE');
  expect(checked.length).toBeLessThanOrEqual(10);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.code).toBe('ACCOUNT_TEMPORARILY_LOCKED');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);

  // Codes of an exhausted challenge are not checked. New challenges use up the rest of the ten, however many those are.
  for (const client of [await enterPassword(user), await enterPassword(user), await enterPassword(user)])
    for (let guess = 0; guess < 4; guess++)
      await client.post('/api/auth/two-factor/verify-backup-code', { code: `aaaaa-${guess}` });
  const late = await enterPassword(user);
  expect((await sendCode(late, secret)).status).toBe(429);
});

test('a second factor is stored encrypted, can be disabled with the password, and is deleted with the account', async () => {
  const { user, client, secret, backupCodes } = await createProtectedUser(here);
  const { db } = here.services;
  const where = { userId: user.id };
  const row = await db.twoFactor.findUniqueOrThrow({ where });
  for (const clear of [secret, ...backupCodes]) expect(JSON.stringify(row)).not.toContain(clear);
  const disable = (password: string) => client.post('/api/auth/two-factor/disable', { password });
  expect((await disable('wrong horse')).status).toBe(400);
  expect(await db.twoFactor.count({ where })).toBe(1);
  expect((await disable(PASSWORD)).status).toBe(200);
  expect(await db.twoFactor.count({ where })).toBe(0);

  const other = await createProtectedUser(here);
  await other.client.post('/api/auth/delete-user', { password: PASSWORD });
  expect(await db.twoFactor.count({ where: { userId: other.user.id } })).toBe(0);
});

const NEW_PASSWORD = 'a better horse';

/** Signs in by password. @returns whether the sign-in asks for a code */
async function asksForCode(device: HttpClient, { email }: TestUser, password?: string) {
  const answer = await enter(device, email, password);
  expect(answer.status).toBe(200);
  return answer.body.twoFactorRedirect === true;
}

/** Signs in with a code and trusts the device. @returns the device */
async function trustDevice({ user, secret }: ProtectedUser): Promise<HttpClient> {
  const device = createHttpClient(here.url);
  expect(await asksForCode(device, user)).toBe(true);
  expect((await sendCode(device, secret, { trustDevice: true })).status).toBe(200);
  expect(await asksForCode(device, user)).toBe(false);
  return device;
}

async function reset({ user }: ProtectedUser): Promise<void> {
  const token = await createResetToken(here.services, user.id);
  expect(await resetPassword(createHttpClient(here.url), token, NEW_PASSWORD)).toMatchObject({ status: 200 });
}
async function post({ client }: ProtectedUser, path: string, body: object): Promise<void> {
  expect(await client.post(`/api/auth/${path}`, body)).toMatchObject({ status: 200 });
}
async function signOutOther(owner: ProtectedUser): Promise<void> {
  await signIn(here.services, owner.user.id);
  const { body } = await owner.client.get('/api/auth/list-sessions');
  await post(owner, 'revoke-session', { token: body.at(-1).token });
}
async function disableAndEnable(owner: ProtectedUser): Promise<void> {
  await post(owner, 'two-factor/disable', { password: PASSWORD });
  await enableSecondFactor(owner.client);
}

const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
const REVOCATIONS: [string, (owner: ProtectedUser) => Promise<unknown>, password?: string][] = [
  ['a change of the password', (owner) => post(owner, 'change-password', change), NEW_PASSWORD],
  ['a reset of the password', reset, NEW_PASSWORD],
  ['the end of another session', signOutOther],
  ['the end of all other sessions', (owner) => post(owner, 'revoke-other-sessions', {})],
  ['the end of all sessions', (owner) => post(owner, 'revoke-sessions', {})],
  ['a new second factor', disableAndEnable],
  ['an operator’s sign-out of the account', (owner) => signOutByOperator(owner)],
];
const signOutByOperator = ({ user }: ProtectedUser) => signOutEverywhere(here.services, user.id);

test.for(REVOCATIONS)('%s revokes the trust of all devices', async ([, revoke, password], { owner }) => {
  const device = await trustDevice(owner);
  await revoke(owner);
  expect(await asksForCode(device, owner.user, password)).toBe(true);
});

test.for(REVOCATIONS.slice(0, 2))('%s ends sign-ins that wait for their code', async ([, revoke], { owner }) => {
  const device = createHttpClient(here.url);
  expect(await asksForCode(device, owner.user)).toBe(true);
  await revoke(owner);
  const answer = await sendCode(device, owner.secret);
  expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_TWO_FACTOR_COOKIE' } });
});

test('a sign-in concurrent with a revocation leaves no device trusted', async ({ owner }) => {
  for (let round = 0; round < 3; round++) {
    const device = await trustDevice(owner);
    const signIns = Array.from({ length: 3 }, () => asksForCode(device, owner.user));
    await Promise.all([...signIns, signOutByOperator(owner)]);
    expect(await asksForCode(device, owner.user)).toBe(true);
  }
});

test('another user’s revocation and a refused one leave a device trusted', async ({ owner }) => {
  const device = await trustDevice(owner);
  const other = await createProtectedUser(here);
  await post(other, 'revoke-other-sessions', {});
  await other.client.post('/api/auth/change-password', { ...change, currentPassword: 'wrong one' });
  expect(await asksForCode(device, owner.user)).toBe(false);
});
