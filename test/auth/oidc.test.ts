// People sign in with the house's own identity provider, by OpenID Connect. It enters the accounts that it has made,
// and those that it is linked to. [contract 17, 22]
import { test as base, describe, expect, onTestFinished } from 'vitest';
import type { HttpClient } from '../support/http-client.ts';
import { storeList } from '../support/lists.ts';
import { captureLog } from '../support/log-capture.ts';
import { errorIn, newClaims, startOidc, useOidcSignIn } from '../support/oidc-sign-in.ts';
import { mailTo } from '../support/outbox.ts';
import { startReplicas } from '../support/service.ts';
import { sessionOf } from '../support/social-sign-in.ts';
import { createPerson } from '../support/users.ts';

const oidc = useOidcSignIn({ env: { GUESTS: 'true' } });
const { client, env, link, provider, service, signIn, stores } = oidc;

const newOwner = () => createPerson(service);
const test = base
  .extend('browser', () => client())
  .extend('person', () => newClaims())
  .extend('guest', async () => {
    const guest = client();
    await guest.post('/api/v1/guests', { name: 'Ada' });
    return guest;
  })
  /** A user with a confirmed address, and the provider's claims about the same person. */
  .extend('owner', () => newOwner())
  .extend('known', ({ owner }) => newClaims({ email: owner.user.email }));

describe('the provider', () => {
  test('signs a new user up, whose name and address are those of the provider', async ({ browser, person }) => {
    expect((await signIn(browser, person)).location).toBe('/play');
    const user = { email: person.email, name: 'Ada Lovelace', emailVerified: true };
    expect(await sessionOf(browser)).toMatchObject({ user });
    expect(await providersOf(browser)).toEqual(['oidc']);
  });

  test('signs the same person in as the same user again, also under another address', async ({ browser, person }) => {
    await signIn(browser, person);
    const second = client();
    await signIn(second, { ...person, email: newClaims().email });
    expect((await sessionOf(second)).user).toEqual((await sessionOf(browser)).user);
  });

  test('is asked with state, nonce, PKCE and OIDC_SCOPES, and without a secret', async () => {
    const { body } = await startOidc(client());
    const { origin, search, searchParams } = new URL(body.url);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: provider.clientId,
      scope: 'openid email profile',
      state: expect.stringMatching(/.{32}/),
      nonce: expect.stringMatching(/.{32}/),
      code_challenge: expect.stringMatching(/.{43}/),
      code_challenge_method: 'S256',
      redirect_uri: oidc.redirectUri(),
    });
    expect(search).not.toContain('secret');
  });
});

describe('a callback is refused', () => {
  test('with the code of another sign-in, whose PKCE challenge was another', async ({ browser, person }) => {
    const [own, stolen] = [await startOidc(browser), await startOidc(client())];
    const back = await provider.agree(own.body.url, person);
    const victim = await provider.agree(stolen.body.url, newClaims());
    back.searchParams.set('code', victim.searchParams.get('code') ?? '');
    expect(errorIn(await browser.get(back.href))).toBe('invalid_code');
    expect(await sessionOf(browser)).toBeNull();
  });

  test('with the nonce of another sign-in', async ({ browser, person }) => {
    const url = new URL((await startOidc(browser)).body.url);
    url.searchParams.set('nonce', 'n'.repeat(32));
    const { location } = await browser.get((await provider.agree(url.href, person)).href);
    expect(location).toBe('/failed?error=unable_to_get_user_info');
  });

  test('with the answer of another issuer', async ({ browser, person }) => {
    const back = await provider.agree((await startOidc(browser)).body.url, person);
    back.searchParams.set('iss', 'https://evil.example');
    expect((await browser.get(back.href)).location).toBe('/failed?error=issuer_mismatch');
  });
});

test('an ID token that a client sends itself signs nobody in', async () => {
  const body = { provider: 'oidc', idToken: { token: 'a.b.c' } };
  expect(await client().post('/api/auth/sign-in/social', body)).toMatchObject({
    status: 404,
    body: { code: 'ID_TOKEN_NOT_SUPPORTED' },
  });
});

test('the provider’s tokens are encrypted in the database, and its ID token is not stored', async ({ browser }) => {
  await signIn(browser, newClaims());
  const userId = (await sessionOf(browser)).user.id;
  const account = await service.services.db.account.findFirst({ where: { userId } });
  expect(account).toMatchObject({ accessToken: expect.stringMatching(/^[0-9a-f]{80,}$/), idToken: null });
});

test('each sign-in and refusal is one audit line, without the address', async ({ browser, person }) => {
  const log = captureLog();
  const same = { BETTER_AUTH_URL: service.url, BETTER_AUTH_SECRET: service.config.auth.secret };
  const logging = { ...env, ...same, LOG_LEVEL: 'info' };
  const [own] = await startReplicas(stores, 1, logging, log.stream);
  onTestFinished(() => own.stop());
  const { body } = await startOidc(browser);
  const back = await provider.agree(body.url, person);
  const there = browser.at(own.url);
  await there.get(`${back.pathname}${back.search}`);
  const again = await startOidc(browser);
  const refused = await provider.agree(again.body.url, { ...person, sub: 'somebody else' });
  await browser.at(own.url).get(`${refused.pathname}${refused.search}`);
  const lines = log.lines().filter(({ audit }) => audit);
  expect(lines).toMatchObject([
    { event: 'sign-in', outcome: 'done', userId: (await sessionOf(there)).user.id },
    { event: 'sign-in', outcome: 'failed', reason: 'account_not_linked' },
  ]);
  expect(JSON.stringify(lines)).not.toContain(person.email);
});

const providersOf = async (browser: HttpClient) =>
  (await browser.get('/api/auth/list-accounts')).body.map(({ providerId }: { providerId: string }) => providerId);

test('an account that exists under the address is not entered', async ({ browser, owner, known }) => {
  expect(errorIn(await signIn(browser, known))).toBe('account_not_linked');
  expect(await sessionOf(browser)).toBeNull();
  expect(await providersOf(owner.client)).toEqual([]);
});

test('whoever is signed in links the provider, and then signs in by it', async ({ browser, owner, known }) => {
  expect((await link(owner.client, known)).location).toBe('/play');
  expect(await providersOf(owner.client)).toEqual(['oidc']);
  expect((await signIn(browser, known)).location).toBe('/play');
  const { id, name } = owner.user;
  expect((await sessionOf(browser)).user).toMatchObject({ id, name });
});

test('a link does not need an address that the provider has verified', async ({ browser, owner, known }) => {
  const unverified = { ...known, email_verified: undefined };
  expect((await link(owner.client, unverified)).location).toBe('/play');
  await signIn(browser, unverified);
  expect((await sessionOf(browser)).user.id).toBe(owner.user.id);
});

test('a link needs the address of the account', async ({ owner, person }) => {
  expect(errorIn(await link(owner.client, person))).toBe('email_does_not_match');
  expect(await providersOf(owner.client)).toEqual([]);
});

test('a person who is linked with one account is linked with no other', async ({ owner, known }) => {
  await link(owner.client, known);
  const second = await newOwner();
  const refused = await link(second.client, { ...known, email: second.user.email });
  expect(errorIn(refused)).toBe('account_already_linked_to_different_user');
});

test('nobody links without a session, and no guest does', async ({ browser, guest }) => {
  const path = '/api/auth/link-social';
  expect(await startOidc(browser, path)).toMatchObject({ status: 401 });
  expect(await startOidc(guest, path)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_REQUIRED' } });
});

test('a client cannot pass a sign-in off as a link', async ({ browser, owner, known }) => {
  const forged = { link: { userId: owner.user.id, email: owner.user.email } };
  const body = { provider: 'oidc', callbackURL: '/play', additionalData: forged };
  const started = await browser.post('/api/auth/sign-in/social', body);
  const back = await provider.agree(started.body.url, known);
  expect(errorIn(await browser.get(back.href))).toBe('account_not_linked');
  expect(await providersOf(owner.client)).toEqual([]);
});

test('an account whose address the provider does not call verified has to confirm it first', async ({ browser }) => {
  const person = newClaims({ email_verified: undefined });
  expect(errorIn(await signIn(browser, person))).toBe('email_not_verified');
  expect(await sessionOf(browser)).toBeNull();
  await browser.get((await mailTo(service.config, person.email)).url);
  expect((await signIn(browser, person)).location).toBe('/play');
  expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
});

test('a sign-in gives what a guest has to the account', async ({ guest, person }) => {
  await storeList(guest, { name: 'Numbers' });
  await signIn(guest, person);
  expect((await guest.get('/api/v1/lists')).body.lists).toMatchObject([{ name: 'Numbers' }]);
});
