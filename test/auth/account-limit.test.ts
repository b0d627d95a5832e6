// RATE_LIMIT_ACCOUNT_MAX limits the failed passwords of one account, whatever client addresses they come
// from. [contract 17]
import { test as base, expect } from 'vitest';
import { limitKey, subjectOf } from '../../src/platform/redis/limits.ts';
import { createResetToken, newEmail, PASSWORD, resetPassword } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useReplicas } from '../support/service.ts';
import { createPerson } from '../support/users.ts';

const MAX = 4;

const { replicas } = useReplicas(2, { RATE_LIMIT_ACCOUNT_MAX: `${MAX}`, TRUST_PROXY: 'loopback' });
const [here] = replicas;

let requests = 0;
/** Each sign-in comes from another client address and goes to another replica. */
function signIn(email: string, password: string) {
  const headers = { 'x-forwarded-for': `203.0.113.${++requests % 250}` };
  const client = createHttpClient(replicas[requests % 2]?.url ?? '', { origin: here.url });
  return client.post('/api/auth/sign-in/email', { email, password }, headers);
}
const statusesOf = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

const newPerson = () => createPerson(here, { password: PASSWORD });
const test = base.extend('person', newPerson);
async function fail(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) expect((await signIn(email, 'wrong horse')).status).toBe(401);
}

test('after RATE_LIMIT_ACCOUNT_MAX failures the right password is refused too, and sessions stay valid', async () => {
  const { user, client } = await newPerson();
  await fail(user.email, MAX);
  for (const email of [user.email, user.email.toUpperCase()]) {
    const answer = await signIn(email, PASSWORD);
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(answer.body.message).toMatch(/^Too many failed passwords for this account\./);
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await client.at(replicas[1]?.url ?? '').get('/api/auth/get-session')).body).not.toBeNull();
});

test('an email address without an account is limited alike', async () => {
  const email = newEmail();
  await fail(email, MAX);
  expect((await signIn(email, PASSWORD)).status).toBe(429);
});

test('neither a successful sign-in nor an invalid request changes the count of failures', async ({ person }) => {
  const { email } = person.user;
  await fail(email, MAX - 1);
  for (let count = 0; count < MAX; count++) expect((await signIn(email, PASSWORD)).status).toBe(200);
  expect((await signIn(email, 'x'.repeat(200))).status).toBe(400);
  await fail(email, 1);
  expect((await signIn(email, PASSWORD)).status).toBe(429);
});

test('concurrent guesses are answered with 401 up to the limit, and with 429 beyond it', async ({ person }) => {
  const { email } = person.user;
  const statuses = await statusesOf(Array.from({ length: 40 }, () => signIn(email, 'wrong horse')));
  expect(statuses.filter((status) => status === 401)).toHaveLength(MAX);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40 - MAX);
});

test('wrong passwords of a signed-in user count, wherever they are asked for', async ({ person: { user, client } }) => {
  const ways = (password: string) => [
    () => client.post('/api/auth/change-password', { currentPassword: password, newPassword: 'a better horse' }),
    () => client.post('/api/auth/delete-user', { password }),
    () => client.post('/api/auth/verify-password', { password }),
  ];
  const wrong = ways('wrong horse');
  const statuses = await statusesOf(Array.from({ length: 12 }, (_, at) => (wrong[at % 3] as (typeof wrong)[0])()));
  expect(statuses.filter((status) => status === 400)).toHaveLength(MAX);
  expect(await statusesOf(ways(PASSWORD).map((ask) => ask()))).toEqual([429, 429, 429]);
  expect((await signIn(user.email, PASSWORD)).status).toBe(429);
});

test('a password reset clears the count of failures', async ({ person: { user } }) => {
  await fail(user.email, MAX);
  const token = await createResetToken(here.services, user.id);
  expect((await resetPassword(createHttpClient(here.url), token, 'a better horse')).status).toBe(200);
  expect((await signIn(user.email, 'a better horse')).status).toBe(200);
});

test('an account accepts its password again after the window', async ({ person }) => {
  const { email } = person.user;
  await fail(email, MAX);
  const { redis } = here.services;
  const key = limitKey('account', subjectOf(email));
  const ends = await redis.zrange(key, '0', '-1', 'WITHSCORES');
  expect(Number(ends.at(-1)) - Date.now()).toBeGreaterThan(60_000);
  for (const failure of await redis.zrange(key, '0', '-1')) await redis.zadd(key, Date.now() - 1, failure);
  expect((await signIn(email, PASSWORD)).status).toBe(200);
});
