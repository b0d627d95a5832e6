// EMAIL_SIGN_UP=false leaves the ways in that need no new password. [contract 22]
import { expect, test } from 'vitest';
import { signIn as enter, PASSWORD, signUp } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { newClaims, useOidcSignIn } from '../support/oidc-sign-in.ts';
import { mailsTo } from '../support/outbox.ts';
import { sessionOf } from '../support/social-sign-in.ts';
import { createPerson } from '../support/users.ts';

const { client, service, signIn } = useOidcSignIn({ env: { EMAIL_SIGN_UP: 'false', GUESTS: 'true' } });

test('a sign-up by email is 403 SIGN_UP_DISABLED', async () => {
  const email = newClaims().email;
  const answer = await signUp(client(), email);
  expect(answer).toMatchObject({ status: 403, body: { code: 'SIGN_UP_DISABLED' } });
  expect(answer.body.message).toBeTypeOf('string');
  expect(await service.services.db.user.findUnique({ where: { email } })).toBeNull();
  expect(mailsTo(service.config, email)).toEqual([]);
});

test('existing passwords sign in, and can be reset', async () => {
  const { id, email } = (await createPerson(service, { password: PASSWORD })).user;
  expect(await enter(client(), email)).toMatchObject({ status: 200, body: { user: { id } } });
  expect(await client().post('/api/auth/request-password-reset', { email })).toMatchObject({ status: 200 });
});

test('a provider signs new people up, and guests play', async () => {
  const browser = client();
  const person = newClaims();
  expect((await signIn(browser, person)).location).toBe('/play');
  expect((await sessionOf(browser)).user).toMatchObject({ email: person.email });
  expect((await createHttpClient(service.url).post('/api/v1/guests', { name: 'Ada' })).status).toBe(201);
});
