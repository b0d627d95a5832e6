// Users sign in with Google and GitHub, callback included. [contract 6]
import { Redis } from 'ioredis';
import { describe, expect, test, vi } from 'vitest';
import { createHttpClient } from '../support/http-client.ts';
import { captureLog } from '../support/log-capture.ts';
import { SHORT_OUTAGES, startReplicas, type TestService } from '../support/service.ts';
import {
  CREDENTIALS,
  newPerson,
  PROVIDERS,
  sessionOf,
  startSignIn,
  useSocialSignIn,
} from '../support/social-sign-in.ts';

const social = useSocialSignIn();
const { client, signIn, service, other, stores } = social;

describe.for(PROVIDERS)('%s', (provider) => {
  test('signs a new user in', async () => {
    const browser = client();
    const person = newPerson();
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect(await sessionOf(browser)).toMatchObject({
      user: { email: person.email, name: 'Ada Lovelace', emailVerified: true },
    });
  });

  test('is asked by an authorization URL with client id, redirect address and state, and without a secret', async () => {
    const { body } = await startSignIn(client(), provider);
    const url = new URL(body.url);
    expect(url.hostname).toBe({ google: 'accounts.google.com', github: 'github.com' }[provider]);
    expect(url.searchParams.get('client_id')).toBe(`${provider}-id`);
    expect(url.searchParams.get('redirect_uri')).toBe(`${service.url}/api/auth/callback/${provider}`);
    expect(url.searchParams.get('state')).toMatch(/.{32}/);
    expect(url.search).not.toContain('secret');
  });

  test('accepts the callback at any replica, also after Redis has lost its data', async () => {
    const browser = client();
    const { body } = await startSignIn(browser, provider);
    const redis = new Redis(stores.redisUrl);
    await redis.flushall();
    redis.disconnect();
    const back = social.providers.agree(body.url, newPerson());
    const answer = await browser.at(other.url).get(`${back.pathname}${back.search}`);
    expect(answer.headers.get('location')).toBe('/play');
  });

  test('signs nobody in by a callback in another browser, a second one, or one with a forged state', async () => {
    const browser = client();
    const { body } = await startSignIn(browser, provider);
    const back = social.providers.agree(body.url, newPerson());

    const stranger = client();
    const stolen = await stranger.get(back.href);
    expect(stolen.headers.get('location')).toMatch(/error=/);
    expect(stranger.cookie()).toBe('');

    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(32));
    expect((await browser.get(forged.href)).headers.get('location')).toMatch(/error=/);

    expect((await browser.get(back.href)).headers.get('location')).toBe('/play');
    const again = await browser.get(back.href);
    expect(again.headers.get('location')).toMatch(/error=/);
  });

  test('redirects a person who denies consent to the error page', async () => {
    const browser = client();
    const { body } = await startSignIn(browser, provider);
    const back = social.providers.agree(body.url, newPerson());
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const answer = await browser.get(back.href);
    expect(answer.headers.get('location')).toBe('/failed?error=access_denied');
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
  const [own] = (await startReplicas(stores, 1, { ...SHORT_OUTAGES, ...env }, log.stream)) as [TestService];
  try {
    const started = createHttpClient(own.url);
    await startSignIn(started, 'google');
    const queries = ['?code=x&state=made-up', '?error=x&state=made-up', '?state=a&state=b', '?code=x'];
    log.clear();
    await own.services.db.$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE verification`;
      for (const by of [createHttpClient(own.url), started])
        for (const query of queries) {
          const answer = await by.get(`/api/auth/callback/google${query}`);
          expect(answer.status).toBe(302);
          expect(answer.headers.get('location')).toMatch(/\/\?error=state_(mismatch|not_found)$/);
        }
    });
    expect(log.lines().filter(({ msg }) => msg !== 'request')).toEqual([]);
  } finally {
    await own.stop();
  }
});
