// An audit line names the user, the client and the outcome, and contains no secret and no email address. [contract 17]
import { beforeEach, expect, test } from 'vitest';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { createResetToken, signIn as enter, PASSWORD, resetPassword } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { useService } from '../support/service.ts';
import { createPerson, signIn, type TestUser } from '../support/users.ts';

const log = captureLog();
const { service } = useService({ LOG_LEVEL: 'info', RATE_LIMIT_ACCOUNT_MAX: '2' }, { log: log.stream });
let user: TestUser;
beforeEach(async () => {
  ({ user } = await createPerson(service, { password: PASSWORD }));
  log.clear();
});

const browser = (cookie = '') => createHttpClient(service.url, { cookie });
const auditLines = () => log.lines().filter(({ audit }) => audit === true);
const loggedEvents = () => auditLines().map(({ event, outcome, reason, userId }) => [event, outcome, reason, userId]);
const attempt = (password: string, by = browser()) => enter(by, user.email, password);

test('sign-ins, failed sign-ins, rate-limited sign-ins and sign-outs are each logged in one audit line', async () => {
  const client = browser();
  await attempt(PASSWORD, client);
  await client.post('/api/auth/sign-out', {});
  await attempt('wrong horse');
  await attempt('wrong horse');
  await attempt(PASSWORD);
  expect(loggedEvents()).toEqual([
    ['sign-in', 'done', undefined, user.id],
    ['sign-out', 'done', undefined, user.id],
    ['sign-in', 'failed', 'INVALID_EMAIL_OR_PASSWORD', undefined],
    ['sign-in', 'failed', 'INVALID_EMAIL_OR_PASSWORD', undefined],
    ['sign-in', 'limited', undefined, undefined],
  ]);
  expect(new Set(auditLines().map(({ account }) => account)).size).toBe(1);
  for (const line of auditLines()) expect(line).toMatchObject({ client: '127.0.0.1', msg: 'audit' });
  for (const secret of [user.email, PASSWORD, 'wrong horse']) expect(log.text()).not.toContain(secret);
  const { text } = await renderMetrics();
  expect(text).toMatch(/quiz_account_events_total\{event="sign-in",outcome="done"\} [1-9]/);
});

test('password changes, resets, revoked sessions and deletions are each logged in one audit line', async () => {
  const client = browser(user.cookie);
  await signIn(service.services, user.id);
  await client.post('/api/auth/revoke-other-sessions', {});
  await client.post('/api/auth/verify-password', { password: PASSWORD });
  const change = { currentPassword: 'wrong horse', newPassword: 'a better horse' };
  await client.post('/api/auth/change-password', change);
  await client.post('/api/auth/change-password', { ...change, currentPassword: PASSWORD });
  const token = await createResetToken(service.services, user.id);
  for (let time = 0; time < 2; time++) await resetPassword(browser(), token, 'the best horse');
  const again = browser(await signIn(service.services, user.id));
  await again.post('/api/auth/delete-user', { password: 'the best horse' });
  expect(loggedEvents()).toEqual([
    ['sign-out', 'done', undefined, user.id],
    ['password-check', 'done', undefined, user.id],
    ['password-change', 'failed', 'INVALID_PASSWORD', user.id],
    ['password-change', 'done', undefined, user.id],
    ['password-reset', 'done', undefined, user.id],
    ['password-reset', 'failed', 'INVALID_TOKEN', undefined],
    ['account-deletion', 'done', undefined, user.id],
  ]);
  for (const secret of [user.email, token, 'horse']) expect(log.text()).not.toContain(secret);
});
