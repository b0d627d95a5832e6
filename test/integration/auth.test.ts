// Email and password, from the first visit to the last, as a browser sees it. [contract 6]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Consumer } from '../../worker/consume.ts';
import { startJobs } from '../../worker/jobs.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { startService, useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const PASSWORD = 'correct horse';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let worker: Consumer;

const { service, stores } = useService();
beforeAll(async () => {
  worker = startJobs(service.services);
});
afterAll(async () => {
  await worker.close();
});

const client = () => createHttpClient(service.url);
const newEmail = () => `${randomUUID()}@example.com`;
const signUp = (by: HttpClient, email: string, more: object = {}) =>
  by.post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD, ...more });
const signIn = (by: HttpClient, email: string, password = PASSWORD) =>
  by.post('/api/auth/sign-in/email', { email, password });

async function signedIn(email = newEmail()): Promise<HttpClient> {
  const browser = client();
  await signUp(browser, email);
  await browser.get((await mailTo(service.config, email)).url);
  expect(await signIn(browser, email)).toMatchObject({ status: 200 });
  return browser;
}

describe('signing up', () => {
  test('an account is verified before its first sign-in, by the link in the email', async () => {
    const browser = client();
    const email = newEmail();
    const signedUp = await signUp(browser, email, { callbackURL: '/welcome' });
    expect(signedUp).toMatchObject({ status: 200, body: { token: null, user: { email } } });
    expect(signedUp.body.user.id).toMatch(UUID);
    expect(browser.cookie()).not.toContain('session');

    const early = await signIn(browser, email);
    expect(early).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });

    const mail = await mailTo(service.config, email);
    expect(Object.keys(mail)).toEqual(['to', 'subject', 'text', 'html', 'url']);
    expect(mail.url.startsWith(`${service.url}/api/auth/verify-email?token=`)).toBe(true);
    const followed = await browser.get(mail.url);
    expect(followed.status).toBe(302);
    expect(followed.headers.get('location')).toBe('/welcome');

    expect(await signIn(browser, email)).toMatchObject({ status: 200, body: { user: { email } } });
    const seen = await browser.get('/api/auth/get-session');
    expect(seen.body).toMatchObject({ user: { email, name: 'Ada', emailVerified: true } });

    expect(await browser.post('/api/auth/sign-out', {})).toMatchObject({ status: 200 });
    expect(browser.cookie()).not.toContain('session');
    expect((await browser.get('/api/auth/get-session')).body).toBeNull();
  });

  test('a sign-in before the verification sends the email once more', async () => {
    const email = newEmail();
    await signUp(client(), email);
    await mailTo(service.config, email, 1);
    await signIn(client(), email);
    await client().get((await mailTo(service.config, email, 2)).url);
    expect(await signIn(client(), email)).toMatchObject({ status: 200 });
  });

  test('signing up again does not tell whether there is an account', async () => {
    const email = newEmail();
    await signedIn(email);
    const again = await signUp(client(), email, { password: 'another password' });
    expect(again).toMatchObject({ status: 200, body: { token: null, user: { email } } });
    expect(again.body.user.id).toMatch(UUID);
    expect((await mailTo(service.config, email, 2)).subject).toBe('You have an account already');
    expect(await signIn(client(), email, 'another password')).toMatchObject({ status: 401 });
    expect(await signIn(client(), email)).toMatchObject({ status: 200 });
  });

  test('signing up again before the verification sends the email once more', async () => {
    const email = newEmail();
    await signUp(client(), email);
    expect(await signUp(client(), email, { callbackURL: '/again' })).toMatchObject({ status: 200 });
    const link = await client().get((await mailTo(service.config, email, 2)).url);
    expect(link.headers.get('location')).toBe('/again');
    expect(await signIn(client(), email)).toMatchObject({ status: 200 });
  });

  test('of concurrent sign-ups with one address one makes the account', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp(client(), email)));
    for (const { status } of answers) expect(status).toBe(200);
    expect(await service.services.db.user.count({ where: { email } })).toBe(1);
    expect(await service.services.db.account.count({ where: { user: { email } } })).toBe(1);
  });

  test('an address is one account however its letters are cased', async () => {
    const email = newEmail();
    await signedIn(email);
    expect(await signIn(client(), email.toUpperCase())).toMatchObject({ status: 200 });
  });

  test.for([
    ['a password of 7 characters', { password: '1234567' }, 'PASSWORD_TOO_SHORT'],
    ['a password of 129 characters', { password: 'x'.repeat(129) }, 'PASSWORD_TOO_LONG'],
    ['something else than an address', { email: 'nobody' }, 'VALIDATION_ERROR'],
    [
      'an address with a line break',
      { email: 'a@example.com\r\nbcc: b@example.com' },
      'VALIDATION_ERROR',
    ],
    ['no address', { email: undefined }, 'VALIDATION_ERROR'],
    ['a number for a password', { password: 12345678 }, 'VALIDATION_ERROR'],
    ['an empty name', { name: ' ' }, 'INVALID_NAME'],
    ['a name of 51 characters', { name: 'x'.repeat(51) }, 'INVALID_NAME'],
    ['a name with a link', { name: 'Win at http://prize.example' }, 'INVALID_NAME'],
    ['a picture instead of its address', { image: 'data:image/png;base64,AA' }, 'INVALID_IMAGE'],
    ['a common password', { password: 'Password1' }, 'PASSWORD_TOO_COMMON'],
    ['a name with a control character', { name: 'A\u0000da' }, 'INVALID_NAME'],
  ] as const)('%s is refused', async ([, fault, code]) => {
    const answer = await signUp(client(), newEmail(), fault);
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message']);
  });

  test('passwords of 8 and of 128 characters are accepted', async () => {
    for (const password of ['gvk3w8zq', 'ü'.repeat(128)])
      expect(await signUp(client(), newEmail(), { password })).toMatchObject({ status: 200 });
  });
});

describe('verifying', () => {
  test('an invalid or expired link leads back with an error and verifies nothing', async () => {
    const forged = await client().get('/api/auth/verify-email?token=forged&callbackURL=%2Fhome');
    expect(forged.headers.get('location')).toBe('/home?error=INVALID_TOKEN');
    expect(await client().get('/api/auth/verify-email?token=forged')).toMatchObject({
      status: 401,
      body: { code: 'INVALID_TOKEN' },
    });
  });

  test('a link leads nowhere else than to trusted pages', async () => {
    const email = newEmail();
    const elsewhere = await signUp(client(), email, { callbackURL: 'https://evil.example/' });
    expect(elsewhere).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACK_URL' } });
    const link = '/api/auth/verify-email?token=x&callbackURL=https%3A%2F%2Fevil.example';
    expect(await client().get(link)).toMatchObject({ status: 403 });
  });

  test('the email can be asked for again, and nobody learns whether there is an account', async () => {
    const email = newEmail();
    await signUp(client(), email);
    await mailTo(service.config, email, 1);
    const ask = (address: string) =>
      client().post('/api/auth/send-verification-email', { email: address });
    const nobody = newEmail();
    expect((await ask(nobody)).body).toEqual((await ask(email)).body);
    await mailTo(service.config, email, 2);
    expect(mailsTo(service.config, nobody)).toEqual([]);
  });
});

describe('signing in', () => {
  test('a wrong password and an unknown address are refused alike', async () => {
    const email = newEmail();
    await signedIn(email);
    const wrong = await signIn(client(), email, 'wrong password');
    const unknown = await signIn(client(), newEmail());
    expect(wrong).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_OR_PASSWORD' } });
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  test('the session lasts 7 days, in a cookie that scripts and other sites can’t use', async () => {
    const email = newEmail();
    await signedIn(email);
    const answer = await signIn(client(), email);
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      /^better-auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('without "remember me" the cookie ends with the browser', async () => {
    const email = newEmail();
    await signedIn(email);
    const answer = await client().post('/api/auth/sign-in/email', {
      email,
      password: PASSWORD,
      rememberMe: false,
    });
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).not.toMatch(/max-age/i);
  });

  test('the client’s address and program are kept with the session', async () => {
    const browser = await signedIn();
    const [session] = (await browser.get('/api/auth/list-sessions')).body;
    expect(session).toMatchObject({
      ipAddress: '127.0.0.1',
      userAgent: expect.stringMatching(/./),
    });
  });

  test('a client can’t make up its own address', async () => {
    const email = newEmail();
    await signedIn(email);
    const browser = client();
    await browser.post(
      '/api/auth/sign-in/email',
      { email, password: PASSWORD },
      { 'x-client-address': '9.9.9.9', 'x-forwarded-for': '9.9.9.9' },
    );
    const sessions = (await browser.get('/api/auth/list-sessions')).body;
    for (const { ipAddress } of sessions) expect(ipAddress).toBe('127.0.0.1');
  });
});

describe('a forgotten password', () => {
  const ask = (email: string, redirectTo = '/choose') =>
    client().post('/api/auth/request-password-reset', { email, redirectTo });

  test('is replaced by way of the email, once, and all sessions end', async () => {
    const email = newEmail();
    const browser = await signedIn(email);
    expect(await ask(email)).toMatchObject({ status: 200 });
    const { url } = await mailTo(service.config, email, 2);

    const target = new URL((await client().get(url)).headers.get('location') ?? '', service.url);
    expect(target.pathname).toBe('/choose');
    const token = target.searchParams.get('token');
    const reset = { newPassword: 'a new password', token };
    expect(await client().post('/api/auth/reset-password', reset)).toMatchObject({ status: 200 });

    expect((await browser.get('/api/auth/get-session')).body).toBeNull();
    expect(await signIn(client(), email)).toMatchObject({ status: 401 });
    expect(await signIn(client(), email, 'a new password')).toMatchObject({ status: 200 });
    const twice = await client().post('/api/auth/reset-password', reset);
    expect(twice).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } });
  });

  test('of concurrent uses of one link one succeeds', async () => {
    const email = newEmail();
    await signedIn(email);
    await ask(email);
    const { url } = await mailTo(service.config, email, 2);
    const token = new URL(url).pathname.split('/').at(-1);
    const answers = await Promise.all(
      ['password 1', 'password 2', 'password 3'].map((newPassword) =>
        client().post('/api/auth/reset-password', { newPassword, token }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('is asked for without a word on whether there is an account', async () => {
    const email = newEmail();
    await signedIn(email);
    const [known, unknown] = [await ask(email), await ask(newEmail())];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  });

  test('that is known can be changed, which may end the other sessions', async () => {
    const email = newEmail();
    const [browser, elsewhere] = [await signedIn(email), client()];
    await signIn(elsewhere, email);
    const change = { currentPassword: PASSWORD, newPassword: 'a new password' };
    const wrong = { ...change, currentPassword: 'wrong password' };
    expect(await browser.post('/api/auth/change-password', wrong)).toMatchObject({ status: 400 });
    const answer = await browser.post('/api/auth/change-password', {
      ...change,
      revokeOtherSessions: true,
    });
    expect(answer).toMatchObject({ status: 200 });
    expect((await elsewhere.get('/api/auth/get-session')).body).toBeNull();
    expect((await browser.get('/api/auth/get-session')).body).toMatchObject({ user: { email } });
  });

  test('leads to trusted pages alone', async () => {
    expect(await ask(newEmail(), 'https://evil.example/')).toMatchObject({ status: 403 });
  });

  test.for(['forged', '%00', 'x'.repeat(5000)])('a made-up link %# is refused', async (token) => {
    const followed = await client().get(`/api/auth/reset-password/${token}?callbackURL=%2Fchoose`);
    expect(followed.headers.get('location')).toMatch(/error=INVALID_TOKEN/);
    const body = { newPassword: 'a new password', token: decodeURIComponent(token) };
    expect(await client().post('/api/auth/reset-password', body)).toMatchObject({ status: 400 });
  });
});

describe('the way in', () => {
  test('a request with cookies from a page that is not trusted is refused', async () => {
    const { cookie } = await createSignedInUser(service.services);
    const evil = createHttpClient(service.url, { cookie, origin: 'https://evil.example' });
    const answer = await evil.post('/api/auth/sign-out', {});
    expect(answer).toMatchObject({ status: 403, body: { code: 'INVALID_ORIGIN' } });
    expect((await evil.get('/api/auth/get-session')).body).not.toBeNull();
  });

  test.for([
    ['JSON that isn’t', '{"email', 400, 'BAD_REQUEST'],
    ['nothing', '', 400, 'VALIDATION_ERROR'],
    ['a list', '[]', 400, 'VALIDATION_ERROR'],
    ['65 KiB', JSON.stringify({ email: 'x'.repeat(65 * 1024) }), 413, 'PAYLOAD_TOO_LARGE'],
  ] as const)('a body of %s is refused in better-auth’s format', async ([, body, status, code]) => {
    const answer = await client().post('/api/auth/sign-in/email', body);
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  test('another type of body is refused', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await client().post('/api/auth/request-password-reset', '{}', headers);
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  test('an unknown address answers 404 in better-auth’s format', async () => {
    for (const path of ['/api/auth/nothing', '/api/auth/sign-in/nothing', '/api/auth//ok'])
      expect(await client().get(path)).toMatchObject({
        status: 404,
        body: { code: 'ROUTE_NOT_FOUND', message: expect.any(String) },
      });
  });

  test('a cookie that is forged, broken or signed by somebody else is no session', async () => {
    const { cookie } = await createSignedInUser(service.services);
    const [name, value = ''] = cookie.split('=');
    const forged = [`${name}=${value.slice(0, -8)}AAAAAA%3D`, `${name}=${value.split('.')[0]}`];
    for (const broken of [...forged, `${name}=`, `${name}=%`, `${name}=.`, `x${cookie}`, '=;;=']) {
      const browser = createHttpClient(service.url);
      const answer = await browser.get('/api/auth/get-session', { cookie: broken });
      expect(answer, broken).toMatchObject({ status: 200, body: null });
      expect(await service.services.userSessions.findUser({ cookie: broken }), broken).toBeNull();
    }
  });

  test('of two session cookies the first counts, for the guard as for get-session', async () => {
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

test('over https the cookie is Secure, and named so', async () => {
  const secure = await startService(stores, {
    BETTER_AUTH_URL: 'https://quiz.example',
    COOKIE_DOMAIN: 'quiz.example',
  });
  try {
    const email = newEmail();
    await signedIn(email);
    const answer = await createHttpClient(secure.url, { origin: 'https://quiz.example' }).post(
      '/api/auth/sign-in/email',
      { email, password: PASSWORD },
    );
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Secure-better-auth\.session_token=[^;]+; Max-Age=604800; Domain=quiz\.example; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const [cookie] = (answer.headers.getSetCookie()[0] ?? '').split(';');
    expect(await secure.services.userSessions.findUser({ cookie })).toMatchObject({ email });
  } finally {
    await secure.stop();
  }
});
