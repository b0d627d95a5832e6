// A browser signs up, verifies its address and signs in. [contract 6]
import { describe, expect, test } from 'vitest';
import { newEmail, PASSWORD, signIn, signUp, useEmailAccounts } from '../support/accounts.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { client, service, signedIn } = useEmailAccounts();

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
