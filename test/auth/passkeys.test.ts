// Passkeys are a second way to sign in. [contract 17]
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTwoReplicas } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { createAuthenticator } from '../support/second-factor.ts';
import { createSignedInUser } from '../support/users.ts';

const { here, isValid } = useTwoReplicas();

const origin = () => new URL(here.config.auth.publicUrl).origin;
const browser = (cookie = '') => createHttpClient(here.url, { cookie, origin: origin() });
const optionsFor = async (client: HttpClient, what: string) =>
  (await client.get(`/api/auth/passkey/generate-${what}-options`)).body;

async function addPasskey(client: HttpClient, key = createAuthenticator(origin()), name = 'Phone') {
  const response = key.create(await optionsFor(client, 'register'));
  const answer = await client.post('/api/auth/passkey/verify-registration', { response, name });
  return { key, answer };
}

async function signInWith(key: ReturnType<typeof createAuthenticator>, client = browser()) {
  const response = key.get(await optionsFor(client, 'authenticate'));
  const answer = await client.post('/api/auth/passkey/verify-authentication', { response });
  return { client, answer };
}

test('a passkey signs its user in on any replica', async () => {
  const user = await createSignedInUser(here.services);
  const { key, answer } = await addPasskey(browser(user.cookie));
  expect(answer).toMatchObject({ status: 200, body: { name: 'Phone', userId: user.id } });
  const signedIn = await signInWith(key);
  expect(signedIn.answer).toMatchObject({ status: 200, body: { user: { id: user.id } } });
  expect(await isValid(signedIn.client.cookie())).toBe(true);
});

test('a passkey’s answer is accepted once, for its own challenge, from the service’s own page', async () => {
  const user = await createSignedInUser(here.services);
  const { key } = await addPasskey(browser(user.cookie));
  const client = browser();
  const response = key.get(await optionsFor(client, 'authenticate'));
  const verify = () => client.post('/api/auth/passkey/verify-authentication', { response });
  expect((await verify()).status).toBe(200);
  expect((await verify()).status).toBe(400);
  const other = browser();
  await optionsFor(other, 'authenticate');
  const replayed = await other.post('/api/auth/passkey/verify-authentication', { response });
  expect(replayed.status).toBe(400);
  const foreign = await addPasskey(browser(user.cookie), createAuthenticator('https://evil.example'));
  expect(foreign.answer).toMatchObject({ status: 400, body: { code: expect.any(String) } });
});

test('a passkey of a device that has not verified its user is refused', async () => {
  const user = await createSignedInUser(here.services);
  const unverified = createAuthenticator(origin(), false);
  const { answer } = await addPasskey(browser(user.cookie), unverified);
  expect(answer).toMatchObject({ status: 400, body: { code: 'USER_NOT_VERIFIED' } });
});

test('a passkey can be added only within 15 minutes of a sign-in', async () => {
  const user = await createSignedInUser(here.services);
  const client = browser(user.cookie);
  const createdAt = new Date(Date.now() - 16 * 60_000);
  await here.services.db.session.updateMany({ where: { userId: user.id }, data: { createdAt } });
  await here.services.redis.flushall();
  const answer = await client.get('/api/auth/passkey/generate-register-options');
  expect(answer).toMatchObject({ status: 400, body: { code: 'SESSION_EXPIRED' } });
});

test('an account has at most 20 passkeys, whose names follow the rules for users’ names', async () => {
  const user = await createSignedInUser(here.services);
  const client = browser(user.cookie);
  const named = await addPasskey(client, undefined, 'see http://evil.example');
  expect(named.answer).toMatchObject({ status: 400, body: { code: 'INVALID_NAME' } });
  await here.services.db.passkey.createMany({
    data: Array.from({ length: 20 }, () => ({
      userId: user.id,
      publicKey: '',
      counter: 0,
      backedUp: false,
      deviceType: 'singleDevice',
      credentialID: randomBytes(16).toString('base64url'),
    })),
  });
  const { answer } = await addPasskey(client);
  expect(answer).toMatchObject({ status: 400, body: { code: 'TOO_MANY_PASSKEYS' } });
});

test('only its owner lists, renames and removes a passkey, which no longer signs in once removed', async () => {
  const user = await createSignedInUser(here.services);
  const client = browser(user.cookie);
  const { key, answer } = await addPasskey(client);
  const { id } = answer.body;
  const stranger = browser((await createSignedInUser(here.services)).cookie);
  for (const [path, body] of [
    ['delete-passkey', { id }],
    ['update-passkey', { id, name: 'Mine' }],
  ] as const)
    expect((await stranger.post(`/api/auth/passkey/${path}`, body)).status).toBe(401);
  expect((await stranger.get('/api/auth/passkey/list-user-passkeys')).body).toEqual([]);
  expect((await client.get('/api/auth/passkey/list-user-passkeys')).body).toMatchObject([{ id }]);
  expect((await client.post('/api/auth/passkey/delete-passkey', { id })).status).toBe(200);
  expect((await signInWith(key)).answer.status).toBe(401);
});
