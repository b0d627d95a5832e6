// People sign in with the house's own identity provider, by OpenID Connect. [contract 22]
import { describe, expect, test } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { errorIn, newClaims, startOidc, useOidcSignIn } from '../support/oidc-sign-in.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { sessionOf } from '../support/social-sign-in.ts';

const oidc = useOidcSignIn();
const { client, env, provider, service, signIn, stores } = oidc;

describe('the provider', () => {
  test('signs a new user up, whose name and address are those of the provider', async () => {
    const browser = client();
    const person = newClaims();
    expect((await signIn(browser, person)).location).toBe('/play');
    expect(await sessionOf(browser)).toMatchObject({
      user: { email: person.email, name: 'Ada Lovelace', emailVerified: true },
    });
    const accounts = await browser.get('/api/auth/list-accounts');
    expect(accounts.body).toMatchObject([{ providerId: 'oidc' }]);
  });

  test('signs the same person in as the same user again, also under another address', async () => {
    const [first, second] = [client(), client()];
    const person = newClaims();
    await signIn(first, person);
    await signIn(second, { ...person, email: newClaims().email });
    expect((await sessionOf(second)).user).toEqual((await sessionOf(first)).user);
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
  test('with the code of another sign-in, whose PKCE challenge was another', async () => {
    const [mine, theirs] = [client(), client()];
    const [own, stolen] = [await startOidc(mine), await startOidc(theirs)];
    const back = await provider.agree(own.body.url, newClaims());
    const victim = await provider.agree(stolen.body.url, newClaims());
    back.searchParams.set('code', victim.searchParams.get('code') ?? '');
    const { headers } = await mine.get(back.href);
    expect(errorIn({ location: headers.get('location') })).toBe('invalid_code');
    expect(await sessionOf(mine)).toBeNull();
  });

  test('with the nonce of another sign-in', async () => {
    const browser = client();
    const url = new URL((await startOidc(browser)).body.url);
    url.searchParams.set('nonce', 'n'.repeat(32));
    const { headers } = await browser.get((await provider.agree(url.href, newClaims())).href);
    expect(headers.get('location')).toBe('/failed?error=unable_to_get_user_info');
  });

  test('with the answer of another issuer', async () => {
    const browser = client();
    const back = await provider.agree((await startOidc(browser)).body.url, newClaims());
    back.searchParams.set('iss', 'https://evil.example');
    const { headers } = await browser.get(back.href);
    expect(headers.get('location')).toBe('/failed?error=issuer_mismatch');
  });

  test('by somebody who has denied consent, with the provider’s code of the refusal', async () => {
    const browser = client();
    const back = await provider.agree((await startOidc(browser)).body.url, newClaims());
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const { headers } = await browser.get(back.href);
    expect(headers.get('location')).toBe('/failed?error=access_denied');
  });

  test('of somebody without an address', async () => {
    const browser = client();
    expect(errorIn(await signIn(browser, newClaims({ email: undefined })))).toBe('email_not_found');
    expect(await sessionOf(browser)).toBeNull();
  });
});

test('an ID token that a client sends itself signs nobody in', async () => {
  const body = { provider: 'oidc', idToken: { token: 'a.b.c' } };
  expect(await client().post('/api/auth/sign-in/social', body)).toMatchObject({
    status: 404,
    body: { code: 'ID_TOKEN_NOT_SUPPORTED' },
  });
});

test('the provider’s tokens are encrypted in the database, and its ID token is not stored', async () => {
  const browser = client();
  await signIn(browser, newClaims());
  const userId = (await sessionOf(browser)).user.id;
  const account = await service.services.db.account.findFirst({ where: { userId } });
  expect(account).toMatchObject({ accessToken: expect.stringMatching(/^[0-9a-f]{80,}$/), idToken: null });
});

test('each sign-in and refusal is one audit line, without the address', async () => {
  const log = captureLog();
  const same = { BETTER_AUTH_URL: service.url, BETTER_AUTH_SECRET: service.config.auth.secret };
  const logging = { ...env, ...same, LOG_LEVEL: 'info' };
  const [own] = (await startReplicas(stores, 1, logging, log.stream)) as [TestService];
  try {
    const person = newClaims();
    const browser = createHttpClient(service.url);
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
  } finally {
    await own.stop();
  }
});
