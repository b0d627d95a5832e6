// A second factor by an authenticator app, for those who want one. [contract 17]
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTwoReplicas, type TwoReplicas } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import type { TestService } from '../support/service.ts';
import { totpCode } from '../support/totp.ts';
import { createSignedInUser, givePassword, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';

let replicas: TwoReplicas;
let here: TestService;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  here = replicas.here;
});
afterAll(() => replicas.stop());

interface SetUp {
  user: TestUser;
  client: HttpClient;
  secret: string;
  backupCodes: string[];
}

/** A user with a second factor in force. */
async function withSecondFactor(): Promise<SetUp> {
  const user = await createSignedInUser(here.services);
  await givePassword(here.services, user.id, PASSWORD);
  const client = createHttpClient(here.url, { cookie: user.cookie });
  const enabled = await client.post('/api/auth/two-factor/enable', { password: PASSWORD });
  expect(enabled).toMatchObject({ status: 200, body: { method: 'totp' } });
  const secret = new URL(enabled.body.totpURI).searchParams.get('secret') ?? '';
  const verified = await client.post('/api/auth/two-factor/verify-totp', {
    code: totpCode(secret),
  });
  expect(verified.status).toBe(200);
  return { user, client, secret, backupCodes: enabled.body.backupCodes };
}
const isValid = (cookie: string) => replicas.isValid(cookie);

async function halfWay(user: TestUser, cookie = ''): Promise<HttpClient> {
  const client = createHttpClient(here.url, { cookie });
  const credentials = { email: user.email, password: PASSWORD };
  const answer = await client.post('/api/auth/sign-in/email', credentials);
  expect(answer).toMatchObject({
    status: 200,
    body: { twoFactorRedirect: true, twoFactorMethods: ['totp'] },
  });
  expect(await isValid(client.cookie())).toBe(false);
  return client;
}

test('a sign-in needs a right code as well, on any replica, and ends the session it came with', async () => {
  const { user, client: before, secret } = await withSecondFactor();
  const client = await halfWay(user, before.cookie());
  expect(await isValid(before.cookie())).toBe(false);
  const verify = (code: string) => client.post('/api/auth/two-factor/verify-totp', { code });
  const code = totpCode(secret);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  expect(await verify(wrong)).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
  expect((await verify(totpCode(secret))).status).toBe(200);
  expect(await isValid(client.cookie())).toBe(true);
});

test('setting it up needs the password, and is not in force before a right code', async () => {
  const user = await createSignedInUser(here.services);
  await givePassword(here.services, user.id, PASSWORD);
  const client = createHttpClient(here.url, { cookie: user.cookie });
  const enable = (password: string) => client.post('/api/auth/two-factor/enable', { password });
  expect((await enable('wrong horse')).status).toBe(400);
  expect((await enable(PASSWORD)).status).toBe(200);
  const credentials = { email: user.email, password: PASSWORD };
  const signedIn = await createHttpClient(here.url).post('/api/auth/sign-in/email', credentials);
  expect(signedIn.body.user.email).toBe(user.email);
});

test('set up twice at once, the request that is a moment late is refused', async () => {
  const user = await createSignedInUser(here.services);
  await givePassword(here.services, user.id, PASSWORD);
  const { db } = here.services;
  // Somebody else's comes between its look and its writing.
  await db.$executeRaw`
    CREATE FUNCTION be_quicker() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF pg_trigger_depth() = 1 THEN
        INSERT INTO two_factor (user_id, secret, backup_codes) VALUES (NEW.user_id, '', '');
      END IF;
      RETURN NEW;
    END $$`;
  await db.$executeRaw`
    CREATE TRIGGER be_quicker BEFORE INSERT ON two_factor
    FOR EACH ROW EXECUTE FUNCTION be_quicker()`;
  const client = createHttpClient(here.url, { cookie: user.cookie });
  const enable = () => client.post('/api/auth/two-factor/enable', { password: PASSWORD });
  expect(await enable()).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
  await db.$executeRaw`DROP FUNCTION be_quicker CASCADE`;
  expect((await enable()).status).toBe(200);
});

test('a backup code does once what a lost app can’t', async () => {
  const { user, backupCodes } = await withSecondFactor();
  for (const status of [200, 401]) {
    const client = await halfWay(user);
    const body = { code: backupCodes[0] };
    const answer = await client.post('/api/auth/two-factor/verify-backup-code', body);
    expect(answer.status).toBe(status);
  }
});

test('codes can’t be guessed: after a few wrong ones the right one is refused too', async () => {
  const { user, secret } = await withSecondFactor();
  for (let attempt = 0; attempt < 3; attempt++) {
    const client = await halfWay(user);
    for (let guess = 0; guess < 5; guess++)
      await client.post('/api/auth/two-factor/verify-totp', { code: `00000${guess}` });
  }
  const client = await halfWay(user);
  const answer = await client.post('/api/auth/two-factor/verify-totp', { code: totpCode(secret) });
  expect(answer.status).toBe(429);
});

test('it is kept encrypted, can be given up with the password, and goes with the account', async () => {
  const { user, client, secret, backupCodes } = await withSecondFactor();
  const { db } = here.services;
  const where = { userId: user.id };
  const row = await db.twoFactor.findUniqueOrThrow({ where });
  for (const clear of [secret, ...backupCodes]) expect(JSON.stringify(row)).not.toContain(clear);
  const disable = (password: string) => client.post('/api/auth/two-factor/disable', { password });
  expect((await disable('wrong horse')).status).toBe(400);
  expect(await db.twoFactor.count({ where })).toBe(1);
  expect((await disable(PASSWORD)).status).toBe(200);
  expect(await db.twoFactor.count({ where })).toBe(0);

  const other = await withSecondFactor();
  await other.client.post('/api/auth/delete-user', { password: PASSWORD });
  expect(await db.twoFactor.count({ where: { userId: other.user.id } })).toBe(0);
});

test('codes by mail are not offered', async () => {
  for (const path of ['send-otp', 'verify-otp'])
    expect((await createHttpClient(here.url).post(`/api/auth/two-factor/${path}`, {})).status).toBe(
      404,
    );
});
