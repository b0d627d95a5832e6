// Account requests are refused in better-auth's format, and session cookies are checked. [contract 6]
import { describe, expect, test } from 'vitest';
import { newEmail, PASSWORD, useEmailAccounts } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const { client, service, signedIn, stores } = useEmailAccounts();

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
