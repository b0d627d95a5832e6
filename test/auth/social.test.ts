// Users sign in with Google and GitHub, callback included, which name a user's address: whose account it is, and who
// loses it. [contract 6, 17]
import { test as base, describe, expect, onTestFinished, vi } from 'vitest';
import { signIn as enter, PASSWORD, signUp, tokenIn } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { errorIn } from '../support/oidc-sign-in.ts';
import { mailTo } from '../support/outbox.ts';
import { SHORT_OUTAGES, startReplicas } from '../support/service.ts';
import {
  CREDENTIALS,
  newPerson,
  PROVIDERS,
  sessionOf,
  startSignIn,
  useSocialSignIn,
} from '../support/social-sign-in.ts';
import { createSignedInUser } from '../support/users.ts';

const social = useSocialSignIn();
const { client, signIn, service, other, stores } = social;

const test = base
  .extend('browser', () => client())
  .extend('person', () => newPerson())
  /** The same person, whose address the provider has not verified. */
  .extend('unverified', ({ person }) => ({ ...person, emailVerified: false }));

describe.for(PROVIDERS)('%s', (provider) => {
  test('is asked by an authorization URL with client id, redirect address and state, and without a secret', async () => {
    const { body } = await startSignIn(client(), provider);
    const url = new URL(body.url);
    expect(url.hostname).toBe({ google: 'accounts.google.com', github: 'github.com' }[provider]);
    expect(url.searchParams.get('client_id')).toBe(`${provider}-id`);
    expect(url.searchParams.get('redirect_uri')).toBe(`${service.url}/api/auth/callback/${provider}`);
    expect(url.searchParams.get('state')).toMatch(/.{32}/);
    expect(url.search).not.toContain('secret');
  });

  test('signs a new user in by a callback at any replica, also after Redis has lost its data', async ({ browser }) => {
    const person = newPerson();
    const { body } = await startSignIn(browser, provider);
    await service.services.redis.flushall();
    const back = social.providers.agree(body.url, person);
    const there = browser.at(other.url);
    expect((await there.get(`${back.pathname}${back.search}`)).location).toBe('/play');
    const user = { email: person.email, name: 'Ada Lovelace', emailVerified: true };
    expect(await sessionOf(there)).toMatchObject({ user });
  });

  test('signs nobody in by a callback in another browser, a second one, or one with a forged state', async () => {
    const browser = client();
    const { body } = await startSignIn(browser, provider);
    const back = social.providers.agree(body.url, newPerson());

    const stranger = client();
    expect((await stranger.get(back.href)).location).toMatch(/error=/);
    expect(stranger.cookie()).toBe('');

    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(32));
    expect((await browser.get(forged.href)).location).toMatch(/error=/);

    expect((await browser.get(back.href)).location).toBe('/play');
    expect((await browser.get(back.href)).location).toMatch(/error=/);
  });

  test('redirects a person who denies consent to the error page', async ({ browser, person }) => {
    const { body } = await startSignIn(browser, provider);
    const back = social.providers.agree(body.url, person);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect((await browser.get(back.href)).location).toBe('/failed?error=access_denied');
  });

  test('redirects to the error page while the provider fails, and works afterwards', async ({ browser, person }) => {
    // better-auth's GitHub provider writes this failure to the console itself.
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    social.providers.failWith = 500;
    expect((await signIn(browser, provider, person)).location).toMatch(/^\/failed\?error=/);
    social.providers.failWith = undefined;
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect(JSON.stringify(written.mock.calls)).not.toContain('secret');
    written.mockRestore();
  });
});

describe('a provider, by the address that it names,', () => {
  const provider = 'google';

  test('joins the account of the same verified address', async ({ browser, person }) => {
    const user = await createSignedInUser(service.services, { email: person.email });
    await signIn(browser, provider, person);
    expect((await sessionOf(browser)).user).toMatchObject({ id: user.id, name: user.name });
  });

  test('takes an unconfirmed address from the user who signed up with it by password', async ({ browser, person }) => {
    const { email } = person;
    const eve = client();
    await signUp(eve, email, { name: 'Eve' });
    await eve.post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    const { url: link } = await mailTo(service.config, email, 1);
    const { url: resetLink } = await mailTo(service.config, email, 2);

    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ email, name: 'Ada Lovelace' });
    for (const ended of [link, resetLink]) expect((await eve.get(ended)).location).toMatch(/error=INVALID_TOKEN/);
    expect(await enter(eve, email)).toMatchObject({ status: 401 });
  });

  test('takes no address from a user unless the provider has verified it', async ({ browser, unverified }) => {
    const { email } = unverified;
    await signUp(browser, email);
    expect((await signIn(client(), provider, unverified)).location).toBe('/failed?error=account_not_linked');
    await browser.get((await mailTo(service.config, email)).url);
    expect(await enter(client(), email)).toMatchObject({ status: 200 });
  });

  test('loses an unverified address once a password sign-up with it is confirmed', async ({ browser, unverified }) => {
    const { email } = unverified;
    await signIn(client(), provider, unverified);
    await signUp(browser, email);
    await browser.get((await mailTo(service.config, email, 2)).url);
    expect(await enter(browser, email)).toMatchObject({ status: 200 });
    expect(errorIn(await signIn(client(), provider, unverified))).toBe('account_not_linked');
  });

  test('loses an unverified address once its link is opened in another browser', async ({ browser, unverified }) => {
    const { email } = unverified;
    await signIn(client(), provider, unverified);
    const { url } = await mailTo(service.config, email, 1);
    const opened = await browser.get(url);
    expect(opened.location).toMatch(/\/verify\?token=/);
    expect(errorIn(await signIn(client(), provider, unverified))).toBe('email_not_verified');

    const chosen = { token: tokenIn(opened), newPassword: PASSWORD };
    expect(await browser.post('/api/auth/verify-email/choose', chosen)).toMatchObject({ status: 200 });
    expect(await enter(client(), email)).toMatchObject({ status: 200 });
    expect(errorIn(await signIn(client(), provider, unverified))).toBe('account_not_linked');
  });

  test('requires an address that the provider has not verified to be verified first', async ({ unverified }) => {
    const browser = client();
    expect((await signIn(browser, provider, unverified)).location).toBe('/failed?error=email_not_verified');
    expect(await sessionOf(browser)).toBeNull();
    await browser.get((await mailTo(service.config, unverified.email)).url);
    expect((await signIn(browser, provider, unverified)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('makes no account without an address', async ({ browser, person }) => {
    const { location } = await signIn(browser, provider, { ...person, email: null });
    expect(location).toBe('/failed?error=email_not_found');
  });
});

test('Google and GitHub sign-ins with one address are one user', async ({ browser, person }) => {
  await signIn(browser, 'google', person);
  const second = client();
  await signIn(second, 'github', person);
  expect((await sessionOf(second)).user.id).toBe((await sessionOf(browser)).user.id);
});

test('a GitHub user without a name is named by the login', async ({ browser, person }) => {
  await signIn(browser, 'github', { ...person, name: null, login: 'ada-l' });
  expect((await sessionOf(browser)).user.name).toBe('ada-l');
});

test('the Google ID token of a native app signs its user in', async ({ person }) => {
  const use = (clientId: string) =>
    client().post('/api/auth/sign-in/social', {
      provider: 'google',
      idToken: { token: social.providers.googleIdToken(person, clientId) },
    });
  expect(await use('google-id')).toMatchObject({ status: 200, body: { user: { name: person.name } } });
  expect(await use('somebody-else')).toMatchObject({ status: 401 });
});

test('a callback with a forged state makes no database query and logs no warning', async () => {
  const log = captureLog();
  const env = { ...CREDENTIALS, LOG_LEVEL: 'info' };
  const [own] = await startReplicas(stores, 1, { ...SHORT_OUTAGES, ...env }, log.stream);
  onTestFinished(() => own.stop());
  const started = createHttpClient(own.url);
  await startSignIn(started, 'google');
  const queries = ['?code=x&state=made-up', '?error=x&state=made-up', '?state=a&state=b', '?code=x'];
  log.clear();
  await own.services.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE verification`;
    for (const by of [createHttpClient(own.url), started])
      for (const query of queries) {
        const location = expect.stringMatching(/\/\?error=state_(mismatch|not_found)$/);
        expect(await by.get(`/api/auth/callback/google${query}`)).toMatchObject({ status: 302, location });
      }
  });
  expect(log.lines().filter(({ msg }) => msg !== 'request')).toEqual([]);
});
