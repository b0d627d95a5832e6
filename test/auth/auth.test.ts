// A browser signs up, verifies its address, signs in and replaces a forgotten password; requests are refused in
// better-auth's format, and session cookies are checked. [contract 6]
import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { MAIL_QUEUE } from '../../src/auth/mail/mail-queue.ts';
import { createPasswordHash } from '../../src/auth/password-hash.ts';
import { createQueue, sharedPlace } from '../../src/platform/queues/queue.ts';
import { answerRequest } from '../../worker/mail.ts';
import { newEmail, PASSWORD, resetPassword, signIn, signUp, tokenIn, useEmailAccounts } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { startService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { client, service, signedIn, stores } = useEmailAccounts();
const test = base.extend('account', async () => {
  const email = newEmail();
  return { email, browser: await signedIn(email) };
});

describe('signing up', () => {
  test('requires the address to be verified before the first sign-in, by the link in the email of each', async () => {
    const browser = client();
    const email = newEmail();
    const signedUp = await signUp(browser, email);
    expect(signedUp).toMatchObject({ status: 200, body: { token: null, user: { email } } });
    expect(signedUp.body.user.id).toMatch(UUID);
    expect(browser.cookie()).not.toContain('session');

    await mailTo(service.config, email, 1);
    expect(await signIn(client(), email)).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });

    const mail = await mailTo(service.config, email, 2);
    expect(Object.keys(mail)).toEqual(['to', 'subject', 'text', 'html', 'url']);
    expect(mail.url.startsWith(`${service.url}/api/auth/verify-email?token=`)).toBe(true);
    expect(await browser.get(mail.url)).toMatchObject({ status: 302, location: '/' });

    // The case of the letters makes no difference.
    expect(await signIn(browser, email.toUpperCase())).toMatchObject({ status: 200, body: { user: { email } } });
    const seen = await browser.get('/api/auth/get-session');
    expect(seen.body).toMatchObject({
      user: { email, name: 'Ada', emailVerified: true },
      session: { ipAddress: '127.0.0.1', userAgent: expect.stringMatching(/./) },
    });

    expect(await browser.post('/api/auth/sign-out', {})).toMatchObject({ status: 200 });
    expect(browser.cookie()).not.toContain('session');
    expect((await browser.get('/api/auth/get-session')).body).toBeNull();
  });

  test('makes one account of concurrent sign-ups with one address', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp(client(), email)));
    for (const { status } of answers) expect(status).toBe(200);
    expect(await service.services.db.user.count({ where: { email } })).toBe(1);
    expect(await service.services.db.account.count({ where: { user: { email } } })).toBe(1);
  });

  test.for([
    ['a password of 7 characters', { password: '1234567' }, 'PASSWORD_TOO_SHORT'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'PASSWORD_TOO_LONG'],
    ['something else than an address', { email: 'nobody' }, 'VALIDATION_ERROR'],
    ['an empty name', { name: ' ' }, 'INVALID_NAME'],
    ['a picture instead of its address', { image: 'data:image/png;base64,AA' }, 'INVALID_IMAGE'],
    ['a password of the service’s own words', { password: 'quizquiz' }, 'PASSWORD_TOO_COMMON'],
  ] as const)('refuses %s', async ([, fault, code]) => {
    const answer = await signUp(client(), newEmail(), fault);
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
  });
});

test('a sign-in sets a session cookie for 7 days, or without "remember me" for the browser’s life, for its own site alone', async () => {
  const email = newEmail();
  await signedIn(email);
  const answer = await signIn(client(), email);
  const [cookie, ...others] = answer.headers.getSetCookie();
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^better-auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  const forNow = await client().post('/api/auth/sign-in/email', { email, password: PASSWORD, rememberMe: false });
  for (const line of forNow.headers.getSetCookie()) expect(line).not.toMatch(/max-age/i);
});

describe('a forgotten password', () => {
  test('is replaced by a link in an email, once, and all sessions end', async ({ account: { email, browser } }) => {
    const asked = await client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    expect(asked).toMatchObject({ status: 200 });
    const { url } = await mailTo(service.config, email, 2);

    const opened = await client().get(url);
    expect(opened.location).toMatch(/^\/choose\?token=/);
    const reset = () => resetPassword(client(), tokenIn(opened), 'a new password');
    expect(await reset()).toMatchObject({ status: 200 });

    expect((await browser.get('/api/auth/get-session')).body).toBeNull();
    expect(await signIn(client(), email)).toMatchObject({ status: 401 });
    expect(await signIn(client(), email, 'a new password')).toMatchObject({ status: 200 });
    expect(await reset()).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } });
  });

  test('gets the same link in an email that a worker writes again after a crash', async ({ account: { email } }) => {
    const { services, config } = service;
    const requests = createQueue(sharedPlace('elsewhere'), services);
    const mails = createQueue(MAIL_QUEUE, services);
    const asked = { kind: 'password-reset', to: email };
    const { id = '' } = await requests.add(asked.kind, asked, { jobId: randomUUID() });
    for (const count of [2, 3]) {
      await answerRequest(services)((await requests.getJob(id)) as Job);
      await mailTo(config, email, count);
      await eventually(async () => expect(await mails.getJob(id)).toBeUndefined());
    }
    await Promise.all([requests.close(), mails.close()]);
    const [, first, again] = mailsTo(config, email);
    expect(again).toEqual(first);
  });

  test('is not replaced by a forged link', async () => {
    const followed = await client().get('/api/auth/reset-password/forged?callbackURL=%2Fchoose');
    expect(followed.location).toMatch(/error=INVALID_TOKEN/);
    expect(await resetPassword(client(), 'forged', 'a new password')).toMatchObject({ status: 400 });
  });
});

test('a sign-in hashes a password anew whose hash is cheaper than the present cost', async ({ account: { email } }) => {
  const { db } = service.services;
  const { id: userId } = await db.user.findUniqueOrThrow({ where: { email } });
  const stored = async () => (await db.account.findFirstOrThrow({ where: { userId } })).password;
  const password = await createPasswordHash(4).hash(PASSWORD);
  await db.account.updateMany({ where: { userId }, data: { password } });
  expect(await signIn(client(), email, 'wrong password')).toMatchObject({ status: 401 });
  expect(await stored()).toBe(password);
  for (let time = 0; time < 2; time++) {
    expect(await signIn(client(), email)).toMatchObject({ status: 200 });
    expect(await stored()).toMatch(/^\$scrypt\$ln=4,/);
  }
});

describe('an account request', () => {
  test.for([
    ['malformed JSON', '{"email', 400, 'BAD_REQUEST'],
    ['no bytes', '', 400, 'VALIDATION_ERROR'],
    ['a list', '[]', 400, 'VALIDATION_ERROR'],
    ['65 KiB', JSON.stringify({ email: 'x'.repeat(65 * 1024) }), 413, 'PAYLOAD_TOO_LARGE'],
    ['another type', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE', 'text/plain'],
  ] as const)('with a body of %s is refused in better-auth’s format', async ([, body, status, code, type]) => {
    const answer = await client().post('/api/auth/sign-in/email', body, type && { 'content-type': type });
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  test('with a cookie that is forged, malformed or signed with another secret has no session', async () => {
    const { cookie } = await createSignedInUser(service.services);
    const [name, value = ''] = cookie.split('=');
    const forged = [`${name}=${value.slice(0, -8)}AAAAAA%3D`, `${name}=${value.split('.')[0]}`];
    for (const broken of [...forged, `${name}=`, `${name}=%`, `${name}=.`, `x${cookie}`, '=;;=']) {
      const answer = await client().get('/api/auth/get-session', { cookie: broken });
      expect(answer, broken).toMatchObject({ status: 200, body: null });
      expect(await service.services.userSessions.findUser({ cookie: broken }), broken).toBeNull();
    }
  });

  test('with two session cookies uses the first, in the guard as in get-session', async () => {
    const { cookie } = await createSignedInUser(service.services);
    const other = `${cookie.split('=')[0]}=x`;
    for (const [header, isValid] of [
      [`${cookie}; ${other}`, true],
      [`${other}; ${cookie}`, false],
    ] as const) {
      const seen = await client().get('/api/auth/get-session', { cookie: header });
      const found = await service.services.userSessions.findUser({ cookie: header });
      expect([seen.body !== null, found !== null]).toEqual([isValid, isValid]);
    }
  });
});

test('the cookie over HTTPS is Secure and has the prefix __Secure-', async ({ account: { email } }) => {
  const secure = await startService(stores, { BETTER_AUTH_URL: 'https://quiz.example', COOKIE_DOMAIN: 'quiz.example' });
  onTestFinished(() => secure.stop());
  const answer = await signIn(createHttpClient(secure.url, { origin: 'https://quiz.example' }), email);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Secure-better-auth\.session_token=[^;]+; Max-Age=604800; Domain=quiz\.example; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  const [cookie] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  expect(await secure.services.userSessions.findUser({ cookie })).toMatchObject({ email });
});
