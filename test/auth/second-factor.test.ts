// A user can protect the sign-in by an authenticator app as a second factor. [contract 17]
import { expect, test } from 'vitest';
import { useTwoReplicas } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { createProtectedUser, startSignIn, totpCode } from '../support/second-factor.ts';
import { createSignedInUser, givePassword, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';

const { here, isValid } = useTwoReplicas();

const newProtectedUser = () => createProtectedUser(here, PASSWORD);

/** Signs in up to the code. @param cookie of an earlier session */
async function enterPassword(user: TestUser, cookie = ''): Promise<HttpClient> {
  const client = await startSignIn(user, PASSWORD, createHttpClient(here.url, { cookie }));
  expect(await isValid(client.cookie())).toBe(false);
  return client;
}

test('a sign-in needs a right code as well, on any replica, and ends the session whose cookie it had', async () => {
  const { user, client: before, secret } = await newProtectedUser();
  const client = await enterPassword(user, before.cookie());
  expect(await isValid(before.cookie())).toBe(false);
  const verify = (code: string) => client.post('/api/auth/two-factor/verify-totp', { code });
  const code = totpCode(secret);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  expect(await verify(wrong)).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
  expect((await verify(totpCode(secret))).status).toBe(200);
  expect(await isValid(client.cookie())).toBe(true);
});

test('a second factor needs the password to be set up, and is not in force before a right code', async () => {
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

test('of two concurrent set-ups the later one is refused with 409', async () => {
  const user = await createSignedInUser(here.services);
  await givePassword(here.services, user.id, PASSWORD);
  const { db } = here.services;
  // The trigger inserts another set-up between the request's read and its write.
  await db.$executeRaw`
    CREATE FUNCTION insert_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF pg_trigger_depth() = 1 THEN
        INSERT INTO two_factor (user_id, secret, backup_codes) VALUES (NEW.user_id, '', '');
      END IF;
      RETURN NEW;
    END $$`;
  await db.$executeRaw`
    CREATE TRIGGER insert_first BEFORE INSERT ON two_factor
    FOR EACH ROW EXECUTE FUNCTION insert_first()`;
  const client = createHttpClient(here.url, { cookie: user.cookie });
  const enable = () => client.post('/api/auth/two-factor/enable', { password: PASSWORD });
  expect(await enable()).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } });
  await db.$executeRaw`DROP FUNCTION insert_first CASCADE`;
  expect((await enable()).status).toBe(200);
});

test('a backup code completes one sign-in', async () => {
  const { user, backupCodes } = await newProtectedUser();
  for (const status of [200, 401]) {
    const client = await enterPassword(user);
    const body = { code: backupCodes[0] };
    const answer = await client.post('/api/auth/two-factor/verify-backup-code', body);
    expect(answer.status).toBe(status);
  }
});

test('of any number of concurrent codes at most ten are checked in a quarter of an hour', async () => {
  const { user, secret } = await newProtectedUser();
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

  // Codes of an exhausted challenge are not checked. New challenges use up the rest of the ten.
  for (const client of [await enterPassword(user), await enterPassword(user)])
    for (let guess = 0; guess < 4; guess++)
      await client.post('/api/auth/two-factor/verify-backup-code', { code: `aaaaa-${guess}` });
  const late = await enterPassword(user);
  const right = { code: totpCode(secret) };
  expect((await late.post('/api/auth/two-factor/verify-totp', right)).status).toBe(429);
});

test('a second factor is stored encrypted, can be disabled with the password, and is deleted with the account', async () => {
  const { user, client, secret, backupCodes } = await newProtectedUser();
  const { db } = here.services;
  const where = { userId: user.id };
  const row = await db.twoFactor.findUniqueOrThrow({ where });
  for (const clear of [secret, ...backupCodes]) expect(JSON.stringify(row)).not.toContain(clear);
  const disable = (password: string) => client.post('/api/auth/two-factor/disable', { password });
  expect((await disable('wrong horse')).status).toBe(400);
  expect(await db.twoFactor.count({ where })).toBe(1);
  expect((await disable(PASSWORD)).status).toBe(200);
  expect(await db.twoFactor.count({ where })).toBe(0);

  const other = await newProtectedUser();
  await other.client.post('/api/auth/delete-user', { password: PASSWORD });
  expect(await db.twoFactor.count({ where: { userId: other.user.id } })).toBe(0);
});
