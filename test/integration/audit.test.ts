// The audit lines: who, from where, how it ended; no secret and no address. [contract 17]
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { renderMetrics } from '../../src/platform/metrics.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser, givePassword, signIn, type TestUser } from '../support/users.ts';

const PASSWORD = 'correct horse';

let stores: TestStores;
let service: TestService;
let user: TestUser;
let log = '';

beforeAll(async () => {
  stores = await startStores();
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  const env = { LOG_LEVEL: 'info', RATE_LIMIT_ACCOUNT_MAX: '2' };
  [service] = (await startReplicas(stores, 1, env, sink)) as [TestService];
});
beforeEach(async () => {
  user = await createSignedInUser(service.services);
  await givePassword(service.services, user.id, PASSWORD);
  log = '';
});
afterAll(async () => {
  await service.stop();
  await stores.stop();
});

const browser = (cookie = '') => createHttpClient(service.url, { cookie });
function lines() {
  const all = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return all.filter(({ audit }) => audit === true);
}
const attempt = (password: string, by = browser()) =>
  by.post('/api/auth/sign-in/email', { email: user.email, password });

test('sign-ins, failures, refusals by the limit and sign-outs', async () => {
  const client = browser();
  await attempt(PASSWORD, client);
  await client.post('/api/auth/sign-out', {});
  await attempt('wrong horse');
  await attempt('wrong horse');
  await attempt(PASSWORD);
  const told = lines().map(({ event, outcome, reason, userId }) => [
    event,
    outcome,
    reason,
    userId,
  ]);
  expect(told).toEqual([
    ['sign-in', 'done', undefined, user.id],
    ['sign-out', 'done', undefined, user.id],
    ['sign-in', 'failed', 'INVALID_EMAIL_OR_PASSWORD', undefined],
    ['sign-in', 'failed', 'INVALID_EMAIL_OR_PASSWORD', undefined],
    ['sign-in', 'limited', undefined, undefined],
  ]);
  expect(new Set(lines().map(({ account }) => account)).size).toBe(1);
  for (const line of lines()) expect(line).toMatchObject({ client: '127.0.0.1', msg: 'audit' });
  for (const secret of [user.email, PASSWORD, 'wrong horse']) expect(log).not.toContain(secret);
});

test('changes of password, resets, the end of other sessions, deletions', async () => {
  const client = browser(user.cookie);
  await signIn(service.services, user.id);
  await client.post('/api/auth/revoke-other-sessions', {});
  const change = { currentPassword: 'wrong horse', newPassword: 'a better horse' };
  await client.post('/api/auth/change-password', change);
  await client.post('/api/auth/change-password', { ...change, currentPassword: PASSWORD });
  const token = randomUUID();
  await (await service.services.auth.$context).internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: user.id,
    expiresAt: new Date(Date.now() + 60_000),
  });
  const reset = { token, newPassword: 'the best horse' };
  await browser().post('/api/auth/reset-password', reset);
  await browser().post('/api/auth/reset-password', reset);
  const again = { cookie: await signIn(service.services, user.id) };
  await browser(again.cookie).post('/api/auth/delete-user', { password: 'the best horse' });
  const told = lines().map(({ event, outcome, reason, userId }) => [
    event,
    outcome,
    reason,
    userId,
  ]);
  expect(told).toEqual([
    ['sign-out', 'done', undefined, user.id],
    ['password-change', 'failed', 'INVALID_PASSWORD', user.id],
    ['password-change', 'done', undefined, user.id],
    ['password-reset', 'done', undefined, user.id],
    ['password-reset', 'failed', 'INVALID_TOKEN', undefined],
    ['account-deletion', 'done', undefined, user.id],
  ]);
  for (const secret of [user.email, token, 'horse']) expect(log).not.toContain(secret);
});

test('are counted by event and outcome', async () => {
  await attempt(PASSWORD);
  const { text } = await renderMetrics();
  expect(text).toMatch(/quiz_account_events_total\{event="sign-in",outcome="done"\} [1-9]/);
});
