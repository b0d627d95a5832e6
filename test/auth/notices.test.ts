// The service notifies an owner of changes to the account by mail, and an operator can remove its second
// factor. [contract 17]
import { test as base, describe, expect } from 'vitest';
import { createResetToken, PASSWORD, resetPassword, signIn, signUp, useMailingReplicas } from '../support/accounts.ts';
import { operate } from '../support/command.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { createAuthenticator, enableSecondFactor, sendCode } from '../support/second-factor.ts';
import { createPerson, type Person } from '../support/users.ts';

const { service, stores, client: browser } = useMailingReplicas({ count: 1, env: { RATE_LIMIT_MAIL_MAX: '1' } });

const newOwner = () => createPerson(service, { password: PASSWORD });
const test = base.extend('owner', newOwner);
/** Waits until the owner has this many mails. @returns their subjects */
async function subjectsTo({ user }: Pick<Person, 'user'>, count: number): Promise<string[]> {
  await mailTo(service.config, user.email, count);
  return mailsTo(service.config, user.email).map(({ subject }) => subject);
}

test('notifies the owner of a changed password although a stranger has used up the mails of the window', async () => {
  const owner = await newOwner();
  const { email } = owner.user;
  for (let count = 0; count < 3; count++)
    await signUp(browser(), email, { name: 'Eve', password: 'a password of Eve' });
  await subjectsTo(owner, 1);
  const change = { currentPassword: PASSWORD, newPassword: 'a better horse' };
  const wrong = { ...change, currentPassword: 'wrong horse' };
  expect((await owner.client.post('/api/auth/change-password', wrong)).status).toBe(400);
  expect((await owner.client.post('/api/auth/change-password', change)).status).toBe(200);
  expect(await subjectsTo(owner, 2)).toEqual(['You have an account already', 'Your password was changed']);
  const notice = await mailTo(service.config, email, 2);
  expect(notice.url).toBe(`${service.url}/forgot-password`);
  expect(notice.text).toContain(`Hello ${owner.user.name},`);
  expect(notice.text).not.toContain('better horse');
});

test('notifies the owner of a reset password', async ({ owner }) => {
  const token = await createResetToken(service.services, owner.user.id);
  await resetPassword(browser(), token, 'a better horse');
  expect(await subjectsTo(owner, 1)).toEqual(['Your password was changed']);
});

test('notifies the owner of each change of the second factor, and of no refused one', async ({ owner }) => {
  const { client } = owner;
  const post = (path: string, body: object) => client.post(`/api/auth/two-factor/${path}`, body);
  expect((await post('disable', { password: 'wrong horse' })).status).toBe(400);
  const { secret } = await enableSecondFactor(client);
  await subjectsTo(owner, 1);
  expect((await sendCode(client, secret)).status).toBe(200);
  expect((await post('generate-backup-codes', { password: PASSWORD })).status).toBe(200);
  await subjectsTo(owner, 2);
  expect((await post('disable', { password: PASSWORD })).status).toBe(200);
  expect(await subjectsTo(owner, 3)).toEqual([
    'Your second factor was turned on',
    'Your backup codes were replaced',
    'Your second factor was turned off',
  ]);
});

test('notifies the owner of an added or removed passkey, and not of a refused or renamed one', async ({ owner }) => {
  const { client } = owner;
  const post = (path: string, body: object) => client.post(`/api/auth/passkey/${path}`, body);
  const register = async (key: ReturnType<typeof createAuthenticator>) => {
    const { body } = await client.get('/api/auth/passkey/generate-register-options');
    return post('verify-registration', { response: key.create(body), name: 'Phone' });
  };
  const origin = service.config.auth.publicUrl;
  expect((await register(createAuthenticator('https://evil.example'))).status).toBe(400);
  const { status, body } = await register(createAuthenticator(origin));
  expect(status).toBe(200);
  await subjectsTo(owner, 1);
  const { id } = body;
  expect((await post('update-passkey', { id, name: 'Old phone' })).status).toBe(200);
  const { client: stranger } = await newOwner();
  expect((await stranger.post('/api/auth/passkey/delete-passkey', { id })).status).toBeGreaterThanOrEqual(400);
  expect((await post('delete-passkey', { id })).status).toBe(200);
  expect(await subjectsTo(owner, 2)).toEqual(['A passkey was added', 'A passkey was removed']);
});

describe('npm run operate -- reset-second-factor', () => {
  const resetSecondFactor = (email: string) => operate(stores, 'reset-second-factor', email);

  test('removes the second factor, ends sessions and trust, notifies the owner, and writes an audit line', async () => {
    const owner = await newOwner();
    const { client, user } = owner;
    const { secret } = await enableSecondFactor(client);
    await subjectsTo(owner, 1);
    const device = browser();
    const attempt = () => signIn(device, user.email);
    await attempt();
    expect((await sendCode(device, secret, { trustDevice: true })).status).toBe(200);

    const { code, stderr } = await resetSecondFactor(user.email.toUpperCase());
    expect(code).toBe(0);
    const audited = stderr.split('\n').filter((line) => line.includes('"audit":true'));
    expect(audited.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'second-factor-change', outcome: 'done', reason: 'BY_OPERATOR', userId: user.id },
    ]);
    expect(stderr).not.toContain(user.email);
    for (const by of [client, device]) expect((await by.get('/api/auth/get-session')).body).toBeNull();
    expect((await attempt()).body.user).toMatchObject({ email: user.email });
    expect((await subjectsTo(owner, 2)).at(-1)).toBe('Your second factor was removed');

    // A new second factor must not be affected by the removed one.
    await enableSecondFactor(device);
    expect((await attempt()).body.twoFactorRedirect).toBe(true);
  });

  test('exits with 0 where there is no second factor, with 1 for an unknown address', async ({ owner: { user } }) => {
    const stdout = expect.stringContaining('no second factor');
    expect(await resetSecondFactor(user.email)).toMatchObject({ code: 0, stdout });
    expect(mailsTo(service.config, user.email)).toEqual([]);
    expect(await resetSecondFactor('nobody@example.com')).toMatchObject({ code: 1 });
  });
});
