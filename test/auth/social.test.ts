// Users sign in with Google and GitHub, callback included, which name a user's address: whose account it is, and who
// loses it. [contract 6, 17]
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signIn as enter, PASSWORD, signUp, tokenIn } from '../support/accounts.ts';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
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

  test('signs a new user in by a callback at any replica, also after Redis has lost its data', async () => {
    const browser = client();
    const person = newPerson();
    const { body } = await startSignIn(browser, provider);
    const redis = new Redis(stores.redisUrl);
    await redis.flushall();
    redis.disconnect();
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

  test('redirects a person who denies consent to the error page', async () => {
    const browser = client();
    const { body } = await startSignIn(browser, provider);
    const back = social.providers.agree(body.url, newPerson());
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect((await browser.get(back.href)).location).toBe('/failed?error=access_denied');
  });

  test('redirects to the error page while the provider fails, and works afterwards', async () => {
    // better-auth's GitHub provider writes this failure to the console itself.
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const person = newPerson();
    const browser = client();
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

  test('joins the account of the same verified address', async () => {
    const user = await createSignedInUser(service.services);
    const browser = client();
    await signIn(browser, provider, newPerson({ email: user.email }));
    expect((await sessionOf(browser)).user).toMatchObject({ id: user.id, name: user.name });
  });

  test('takes an unconfirmed address from the user who signed up with it by password', async () => {
    const person = newPerson();
    const email = person.email ?? '';
    const eve = client();
    await signUp(eve, email, { name: 'Eve' });
    await eve.post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    const { url: link } = await mailTo(service.config, email, 1);
    const { url: resetLink } = await mailTo(service.config, email, 2);

    const browser = client();
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ email, name: 'Ada Lovelace' });
    for (const ended of [link, resetLink]) expect((await eve.get(ended)).location).toMatch(/error=INVALID_TOKEN/);
    expect(await enter(eve, email)).toMatchObject({ status: 401 });
  });

  test('takes no address from a user unless the provider has verified it', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    const own = client();
    await signUp(own, email);
    expect((await signIn(client(), provider, person)).location).toBe('/failed?error=account_not_linked');
    await own.get((await mailTo(service.config, email)).url);
    expect(await enter(client(), email)).toMatchObject({ status: 200 });
  });

  test('loses an unverified address once a password sign-up with it is confirmed', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    await signIn(client(), provider, person);
    const own = client();
    await signUp(own, email);
    await own.get((await mailTo(service.config, email, 2)).url);
    expect(await enter(own, email)).toMatchObject({ status: 200 });
    expect((await signIn(client(), provider, person)).location).toBe('/failed?error=account_not_linked');
  });

  test('loses an unverified address once its link is opened in another browser', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    await signIn(client(), provider, person);
    const { url } = await mailTo(service.config, email, 1);
    const owner = client();
    const opened = await owner.get(url);
    expect(opened.location).toMatch(/\/verify\?token=/);
    expect((await signIn(client(), provider, person)).location).toMatch(/error=email_not_verified/);

    const chosen = { token: tokenIn(opened), newPassword: PASSWORD };
    expect(await owner.post('/api/auth/verify-email/choose', chosen)).toMatchObject({ status: 200 });
    expect(await enter(client(), email)).toMatchObject({ status: 200 });
    expect((await signIn(client(), provider, person)).location).toMatch(/error=account_not_linked/);
  });

  test('requires an address that the provider has not verified to be verified first', async () => {
    const person = newPerson({ emailVerified: false });
    const browser = client();
    expect((await signIn(browser, provider, person)).location).toBe('/failed?error=email_not_verified');
    expect(await sessionOf(browser)).toBeNull();
    await browser.get((await mailTo(service.config, person.email ?? '')).url);
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('makes no account without an address', async () => {
    expect((await signIn(client(), provider, newPerson({ email: null }))).location).toBe(
      '/failed?error=email_not_found',
    );
  });
});

test('Google and GitHub sign-ins with one address are one user', async () => {
  const person = newPerson();
  const [first, second] = [client(), client()];
  await signIn(first, 'google', person);
  await signIn(second, 'github', person);
  expect((await sessionOf(second)).user.id).toBe((await sessionOf(first)).user.id);
});

test('a GitHub user without a name is named by the login', async () => {
  const browser = client();
  await signIn(browser, 'github', newPerson({ name: null, login: 'ada-l' }));
  expect((await sessionOf(browser)).user.name).toBe('ada-l');
});

test('the Google ID token of a native app signs its user in', async () => {
  const person = newPerson();
  const use = (clientId: string, browser = client()) =>
    browser.post('/api/auth/sign-in/social', {
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
