// Passkeys are a second way to sign in. [contract 17]
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTwoReplicas } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { createAuthenticator } from '../support/second-factor.ts';
import { createPerson, makeSessionOld } from '../support/users.ts';

const { here, isValid } = useTwoReplicas();

const browser = () => createHttpClient(here.url);
const newPerson = () => createPerson(here);
const optionsFor = async (client: HttpClient, what: string) =>
  (await client.get(`/api/auth/passkey/generate-${what}-options`)).body;

async function addPasskey(client: HttpClient, key = createAuthenticator(here.url), name = 'Phone') {
  const response = key.create(await optionsFor(client, 'register'));
  const answer = await client.post('/api/auth/passkey/verify-registration', { response, name });
  return { key, answer };
}

async function signInWith(key: ReturnType<typeof createAuthenticator>) {
  const client = browser();
  const response = key.get(await optionsFor(client, 'authenticate'));
  const answer = await client.post('/api/auth/passkey/verify-authentication', { response });
  return { client, answer };
}

test('a passkey signs its user in on any replica', async () => {
  const { user, client } = await newPerson();
  const { key, answer } = await addPasskey(client);
  expect(answer).toMatchObject({ status: 200, body: { name: 'Phone', userId: user.id } });
  const signedIn = await signInWith(key);
  expect(signedIn.answer).toMatchObject({ status: 200, body: { user: { id: user.id } } });
  expect(await isValid(signedIn.client.cookie())).toBe(true);
});

test('a passkey’s answer is accepted once, for its own challenge, from the service’s own page', async () => {
  const { client: owner } = await newPerson();
  const { key } = await addPasskey(owner);
  const client = browser();
  const response = key.get(await optionsFor(client, 'authenticate'));
  const verify = () => client.post('/api/auth/passkey/verify-authentication', { response });
  expect((await verify()).status).toBe(200);
  expect((await verify()).status).toBe(400);
  const other = browser();
  await optionsFor(other, 'authenticate');
  expect((await other.post('/api/auth/passkey/verify-authentication', { response })).status).toBe(400);
  const foreign = await addPasskey(owner, createAuthenticator('https://evil.example'));
  expect(foreign.answer).toMatchObject({ status: 400, body: { code: expect.any(String) } });
});

test('a passkey of a device that has not verified its user is refused', async () => {
  const { client } = await newPerson();
  const { answer } = await addPasskey(client, createAuthenticator(here.url, false));
  expect(answer).toMatchObject({ status: 400, body: { code: 'USER_NOT_VERIFIED' } });
});

test('a passkey can be added only within 15 minutes of a sign-in', async () => {
  const { user, client } = await newPerson();
  await makeSessionOld(here.services, user);
  const answer = await client.get('/api/auth/passkey/generate-register-options');
  expect(answer).toMatchObject({ status: 400, body: { code: 'SESSION_EXPIRED' } });
});

test('an account has at most 20 passkeys, whose names follow the rules for users’ names', async () => {
  const { user, client } = await newPerson();
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
  const { client } = await newPerson();
  const { key, answer } = await addPasskey(client);
  const { id } = answer.body;
  const { client: stranger } = await newPerson();
  for (const path of ['delete-passkey', 'update-passkey'])
    expect((await stranger.post(`/api/auth/passkey/${path}`, { id, name: 'Mine' })).status).toBe(401);
  expect((await stranger.get('/api/auth/passkey/list-user-passkeys')).body).toEqual([]);
  expect((await client.get('/api/auth/passkey/list-user-passkeys')).body).toMatchObject([{ id }]);
  expect((await client.post('/api/auth/passkey/delete-passkey', { id })).status).toBe(200);
  expect((await signInWith(key)).answer.status).toBe(401);
});
