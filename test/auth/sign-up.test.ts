// Several people sign up with one address, of whom only one reads its mail. The password of that one opens
// the account. [contract 17]
import { describe, expect, onTestFinished, test } from 'vitest';
import { ADA, CHOSEN, EVE, newEmail, resetPassword, tokenIn, useSignUpLinks } from '../support/accounts.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { mailsTo, mailTo } from '../support/outbox.ts';
import { startService } from '../support/service.ts';

/** The redirect of a link that is no longer valid. */
const INVALID_LINK = '/welcome?error=INVALID_TOKEN';
/** The redirect of a link that asks for the password of its sign-up. */
const PASSWORD_PAGE = /\/verify\?token=/;

const { other, service, stores, client, signUp, signIn, statusOf } = useSignUpLinks();

/** Signs up without waiting for the mail. */
const postSignUp = (browser: HttpClient, email: string, person: typeof EVE & { language?: string }, headers = {}) =>
  browser.post('/api/auth/sign-up/email', { ...person, email, callbackURL: '/welcome' }, headers);
const mail = (email: string, count: number) => mailTo(service.config, email, count);

/** Eve signs up with an address, and after her Ada, who owns it. */
async function signUpTwice() {
  const [email, eve, ada] = [newEmail(), client(), client()];
  const eveLink = await signUp(eve, email, EVE);
  const adaLink = await signUp(ada, email, ADA);
  return { email, eve, ada, eveLink, adaLink };
}

describe('with several sign-ups for an address that was never confirmed', () => {
  test('a link confirms its sign-up on any replica, and when another sign-up was later', async () => {
    const [email, ada] = [newEmail(), client()];
    const adaLink = await signUp(ada, email, ADA);
    await signUp(client(), email, EVE);
    const { pathname, search } = new URL(adaLink);
    expect((await ada.at(other.url).get(`${pathname}${search}`)).location).toBe('/welcome');
    expect([await statusOf(email, EVE), await statusOf(email, ADA)]).toEqual([401, 200]);
  });

  test('a link whose sign-up was dropped for later ones confirms none of them', async () => {
    const { email, ada, adaLink } = await signUpTwice();
    for (let index = 0; index < 22; index++)
      await postSignUp(client(), email, { name: 'Eve', password: `the password of Eve ${index}` });
    expect(await service.services.db.signUp.count({ where: { user: { email } } })).toBe(20);
    expect((await ada.get(adaLink)).location).toMatch(PASSWORD_PAGE);
    for (const person of [EVE, ADA, { password: 'the password of Eve 21' }])
      expect(await statusOf(email, person)).not.toBe(200);
  });

  test('a sign-up concurrent with the confirmation has no effect', async () => {
    for (let round = 0; round < 3; round++) {
      const { email, ada, adaLink } = await signUpTwice();
      const late = { name: 'Eve', password: 'another one of Eve' };
      const [, { location }] = await Promise.all([
        postSignUp(createHttpClient(other.url, { origin: service.url }), email, late),
        ada.get(adaLink),
      ]);
      expect(location).toBe('/welcome');
      expect([await statusOf(email, late), await statusOf(email, ADA)]).toEqual([401, 200]);
    }
  });
});

test('a password reset confirms the address, and removes every other password and link', async () => {
  const { email, eve, eveLink } = await signUpTwice();
  await client().post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
  const token = tokenIn(await client().get((await mail(email, 3)).url));
  expect(await resetPassword(client(), token, CHOSEN.password)).toMatchObject({ status: 200 });
  expect((await eve.get(eveLink)).location).toBe(INVALID_LINK);
  for (const person of [EVE, ADA]) expect(await statusOf(email, person)).toBe(401);
  // The name of a sign-up may be a stranger’s, and is dropped.
  const user = { name: 'Player', image: null };
  expect(await signIn(email, CHOSEN)).toMatchObject({ status: 200, body: { user } });
});

test('the cookie of a sign-up is HttpOnly and valid for 24 hours, and has the prefix __Host- under https', async () => {
  const by = client();
  const [cookie, ...others] = (await postSignUp(by, newEmail(), ADA)).headers.getSetCookie();
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^better-auth\.sign_up=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
  const secure = await startService(stores, { BETTER_AUTH_URL: 'https://quiz.example' });
  onTestFinished(() => secure.stop());
  const page = createHttpClient(secure.url, { origin: 'https://quiz.example' });
  expect((await postSignUp(page, newEmail(), ADA)).headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-better-auth\.sign_up=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
});

test('a request with only the cookie of a sign-up needs no Origin, since it is not signed in', async () => {
  const [email, by] = [newEmail(), client()];
  await postSignUp(by, email, ADA);
  expect(by.cookie()).toContain('sign_up');
  const headers = { 'content-type': 'application/json', cookie: by.cookie() };
  const request = { method: 'POST', headers, body: JSON.stringify({ email }) };
  const answer = await fetch(`${service.url}/api/auth/request-password-reset`, request);
  expect(answer.status).toBe(200);
});

test('a sign-up attempt for a confirmed address sends its owner one mail and has no other effect', async () => {
  const [email, ada] = [newEmail(), client()];
  await ada.get(await signUp(ada, email, ADA));
  await postSignUp(client(), email, EVE);
  const notice = await mail(email, 2);
  expect(notice.subject).toBe('You have an account already');
  expect(notice.text).toContain('Hello Ada,');
  expect(notice.text).not.toContain('Eve');
  expect(notice.url).toBe(`${service.url}/`);
  expect(await statusOf(email, EVE)).toBe(401);
  expect(await signIn(email, ADA)).toMatchObject({ status: 200, body: { user: { name: 'Ada' } } });
  expect(mailsTo(service.config, email)).toHaveLength(2);
});

describe('the language of mails', () => {
  const ask = (by: HttpClient, email: string, language: string) =>
    by.post('/api/auth/request-password-reset', { email }, { 'accept-language': language });
  const subjectsOf = (email: string) => mailsTo(service.config, email).map(({ subject }) => subject);

  test('is that of the sign-up, whatever the language of later requests, until the user changes it', async () => {
    const [email, ada] = [newEmail(), client()];
    await postSignUp(ada, email, { ...ADA, language: 'it' }, { 'accept-language': 'fr' });
    await ada.get((await mail(email, 1)).url);
    // A stranger's sign-up changes nothing of the account.
    await postSignUp(client(), email, { ...EVE, language: 'es' });
    await mail(email, 2);
    await ask(client(), email, 'de');
    await mail(email, 3);
    const by = client();
    expect(await by.post('/api/auth/sign-in/email', { email, password: ADA.password })).toMatchObject({ status: 200 });
    expect(await by.patch('/api/v1/account', { language: 'de' })).toMatchObject({ status: 200 });
    await ask(client(), email, 'es');
    const { text } = await mail(email, 4);
    expect(text).toMatch(/^Hallo Ada,/);
    expect(subjectsOf(email)).toEqual([
      'Conferma il tuo indirizzo e-mail',
      'Hai già un account',
      'Scegli una nuova password',
      'Wähle ein neues Passwort',
    ]);
  });

  test('is that of the browser without one, of each sign-up’s own page before a confirmation, or English', async () => {
    const email = newEmail();
    const signUpIn = async (more: { language?: string }, headers = {}) =>
      (await postSignUp(client(), email, { ...ADA, ...more }, headers)).status;
    expect(await signUpIn({}, { 'accept-language': 'fr-CA, en;q=0.5' })).toBe(200);
    await mail(email, 1);
    expect(await signUpIn({}, { 'accept-language': 'fi' })).toBe(200);
    await mail(email, 2);
    expect(await signUpIn({ language: 'es' })).toBe(200);
    await mail(email, 3);
    expect(subjectsOf(email)).toEqual([
      'Confirmez votre adresse e-mail',
      'Confirm your email address',
      'Confirma tu dirección de correo',
    ]);
    expect(await signUpIn({ language: 'fi' })).toBe(400);
  });
});
