// RATE_LIMIT_ACCOUNT_MAX: failed passwords of one address, whatever addresses they come from.
// [contract 17]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser, givePassword, type TestUser } from '../support/users.ts';

const MAX = 4;
const PASSWORD = 'correct horse';

let stores: TestStores;
let replicas: TestService[];
let hasty: TestService;

beforeAll(async () => {
  stores = await startStores();
  const limits = { RATE_LIMIT_ACCOUNT_MAX: `${MAX}`, TRUST_PROXY: 'loopback' };
  replicas = await startReplicas(stores, 2, limits);
  [hasty] = (await startReplicas(stores, 1, {
    ...limits,
    RATE_LIMIT_WINDOW_MS: '2000',
  })) as [TestService];
});
afterAll(async () => {
  for (const replica of [...replicas, hasty]) await replica.stop();
  await stores.stop();
});

let requests = 0;
/** From another address and by another replica each time. */
function signIn(email: string, password: string, at = replicas[requests % 2]) {
  const headers = { 'x-forwarded-for': `203.0.113.${++requests % 250}` };
  const origin = at === hasty ? hasty.url : (replicas[0]?.url ?? '');
  const client = createHttpClient(at?.url ?? '', { origin });
  return client.post('/api/auth/sign-in/email', { email, password }, headers);
}
const statusesOf = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

async function newUser(): Promise<TestUser> {
  const [replica] = replicas as [TestService];
  const user = await createSignedInUser(replica.services);
  await givePassword(replica.services, user.id, PASSWORD);
  return user;
}
async function fail(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++)
    expect((await signIn(email, 'wrong horse')).status).toBe(401);
}

test('after so many failures the right password is refused too, and sessions go on', async () => {
  const user = await newUser();
  await fail(user.email, MAX);
  for (const email of [user.email, user.email.toUpperCase()]) {
    const answer = await signIn(email, PASSWORD);
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const client = createHttpClient(replicas[1]?.url ?? '', { cookie: user.cookie });
  expect((await client.get('/api/auth/get-session')).body).not.toBeNull();
});

test('an unknown address is limited alike', async () => {
  const email = `${randomUUID()}@example.com`;
  await fail(email, MAX);
  expect((await signIn(email, PASSWORD)).status).toBe(429);
});

test('a success neither counts nor clears, nor does a request that isn’t valid', async () => {
  const { email } = await newUser();
  await fail(email, MAX - 1);
  for (let count = 0; count < MAX; count++)
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  expect((await signIn(email, 'x'.repeat(200))).status).toBe(400);
  await fail(email, 1);
  expect((await signIn(email, PASSWORD)).status).toBe(429);
});

test('of any number of guesses at once no more are answered', async () => {
  const { email } = await newUser();
  const statuses = await statusesOf(Array.from({ length: 40 }, () => signIn(email, 'wrong horse')));
  expect(statuses.filter((status) => status === 401)).toHaveLength(MAX);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - MAX);
});

test('passwords tried by a signed-in user count, to change it and to delete the account', async () => {
  const user = await newUser();
  const [replica] = replicas as [TestService];
  const client = createHttpClient(replica.url, { cookie: user.cookie });
  const change = { currentPassword: 'wrong horse', newPassword: 'a better horse' };
  for (let count = 0; count < MAX / 2; count++) {
    expect((await client.post('/api/auth/change-password', change)).status).toBe(400);
    const wrong = { password: 'wrong horse' };
    expect((await client.post('/api/auth/delete-user', wrong)).status).toBe(400);
  }
  const right = { ...change, currentPassword: PASSWORD };
  expect((await client.post('/api/auth/change-password', right)).status).toBe(429);
  expect((await client.post('/api/auth/delete-user', { password: PASSWORD })).status).toBe(429);
  expect((await signIn(user.email, PASSWORD)).status).toBe(429);
});

test('a password reset clears it', async () => {
  const user = await newUser();
  await fail(user.email, MAX);
  const [replica] = replicas as [TestService];
  const token = randomUUID();
  await (await replica.services.auth.$context).internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: user.id,
    expiresAt: new Date(Date.now() + 60_000),
  });
  const client = createHttpClient(replica.url);
  const reset = { token, newPassword: 'a better horse' };
  expect((await client.post('/api/auth/reset-password', reset)).status).toBe(200);
  expect((await signIn(user.email, 'a better horse')).status).toBe(200);
});

test('a window passes', async () => {
  const { email } = await newUser();
  await statusesOf(Array.from({ length: MAX }, () => signIn(email, 'wrong horse', hasty)));
  await eventually(async () => expect((await signIn(email, PASSWORD, hasty)).status).toBe(200));
});
