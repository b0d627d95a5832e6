// A browser signs up, verifies its address and signs in; requests are refused in better-auth's format, and session cookies are
// checked. [contract 6]
import { describe, expect, test } from 'vitest';
import { newEmail, PASSWORD, signIn, signUp, useEmailAccounts } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { startService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { client, service, signedIn, stores } = useEmailAccounts();

describe('signing up', () => {
  test('requires the address to be verified, by the link in the email, before the first sign-in', async () => {
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

  test('sends the email once more at a sign-in before the verification', async () => {
    const email = newEmail();
    const browser = client();
    await signUp(browser, email);
    await mailTo(service.config, email, 1);
    await signIn(client(), email);
    await browser.get((await mailTo(service.config, email, 2)).url);
    expect(await signIn(client(), email)).toMatchObject({ status: 200 });
  });

  test('makes one account of concurrent sign-ups with one address', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp(client(), email)));
    for (const { status } of answers) expect(status).toBe(200);
    expect(await service.services.db.user.count({ where: { email } })).toBe(1);
    expect(await service.services.db.account.count({ where: { user: { email } } })).toBe(1);
  });

  test('makes one account of an address, whatever the case of its letters', async () => {
    const email = newEmail();
    await signedIn(email);
    expect(await signIn(client(), email.toUpperCase())).toMatchObject({ status: 200 });
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

describe('a verification', () => {
  test('sends the email again on request, and does not reveal whether there is an account', async () => {
    const email = newEmail();
    await signUp(client(), email);
    await mailTo(service.config, email, 1);
    const ask = (address: string) => client().post('/api/auth/send-verification-email', { email: address });
    const nobody = newEmail();
    expect((await ask(nobody)).body).toEqual((await ask(email)).body);
    await mailTo(service.config, email, 2);
    expect(mailsTo(service.config, nobody)).toEqual([]);
  });
});

describe('signing in', () => {
  test('sets a session cookie for 7 days that scripts and other sites can’t use', async () => {
    const email = newEmail();
    await signedIn(email);
    const answer = await signIn(client(), email);
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^better-auth\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('sets a cookie that ends with the browser without "remember me"', async () => {
    const email = newEmail();
    await signedIn(email);
    const answer = await client().post('/api/auth/sign-in/email', { email, password: PASSWORD, rememberMe: false });
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).not.toMatch(/max-age/i);
  });

  test('stores the client’s address and user agent with the session', async () => {
    const browser = await signedIn();
    const [session] = (await browser.get('/api/auth/list-sessions')).body;
    expect(session).toMatchObject({ ipAddress: '127.0.0.1', userAgent: expect.stringMatching(/./) });
  });
});

describe('an account request', () => {
  test.for([
    ['malformed JSON', '{"email', 400, 'BAD_REQUEST'],
    ['no bytes', '', 400, 'VALIDATION_ERROR'],
    ['a list', '[]', 400, 'VALIDATION_ERROR'],
    ['65 KiB', JSON.stringify({ email: 'x'.repeat(65 * 1024) }), 413, 'PAYLOAD_TOO_LARGE'],
  ] as const)('with a body of %s is refused in better-auth’s format', async ([, body, status, code]) => {
    const answer = await client().post('/api/auth/sign-in/email', body);
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  test('with another content type is refused', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await client().post('/api/auth/request-password-reset', '{}', headers);
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  test('with a cookie that is forged, malformed or signed with another secret has no session', async () => {
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

test('the cookie over HTTPS is Secure and has the prefix __Secure-', async () => {
  const secure = await startService(stores, { BETTER_AUTH_URL: 'https://quiz.example', COOKIE_DOMAIN: 'quiz.example' });
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
