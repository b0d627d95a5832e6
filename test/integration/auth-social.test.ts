// Signing in with Google and GitHub, callback included. [contract 6]
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Consumer } from '../../worker/consume.ts';
import { startJobs } from '../../worker/jobs.ts';
import { type Answer, createHttpClient, type HttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import { startReplicas, startService, type TestService } from '../support/service.ts';
import {
  type Person,
  type SocialProviders,
  startSocialProviders,
} from '../support/social-providers.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';

const CREDENTIALS = {
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GITHUB_CLIENT_ID: 'github-id',
  GITHUB_CLIENT_SECRET: 'github-secret',
};
const PROVIDERS = ['google', 'github'] as const;
type Provider = (typeof PROVIDERS)[number];

let stores: TestStores;
let providers: SocialProviders;
let service: TestService;
let other: TestService;
let worker: Consumer;

beforeAll(async () => {
  stores = await startStores();
  providers = await startSocialProviders();
  [service, other] = (await startReplicas(stores, 2, CREDENTIALS)) as [TestService, TestService];
  worker = startJobs(service.services);
});
beforeEach(() => {
  providers.failWith = undefined;
});
afterAll(async () => {
  await worker.close();
  for (const replica of [service, other]) await replica.stop();
  await providers.stop();
  await stores.stop();
});

let lastId = 1000;
function newPerson(more: Partial<Person> = {}): Person {
  lastId += 1;
  const email = `${randomUUID()}@example.com`;
  return { id: lastId, email, emailVerified: true, name: 'Ada Lovelace', login: 'ada', ...more };
}

const start = (browser: HttpClient, provider: Provider) =>
  browser.post('/api/auth/sign-in/social', {
    provider,
    callbackURL: '/play',
    errorCallbackURL: '/failed',
  });

/** The whole way there and back. */
async function signIn(
  browser: HttpClient,
  provider: Provider,
  person: Person,
): Promise<Answer & { location: string | null }> {
  const started = await start(browser, provider);
  expect(started).toMatchObject({ status: 200, body: { redirect: true } });
  const answer = await browser.get(providers.agree(started.body.url, person).href);
  expect(answer.status).toBe(302);
  return { ...answer, location: answer.headers.get('location') };
}
const client = () => createHttpClient(service.url);
const sessionOf = async (browser: HttpClient) => (await browser.get('/api/auth/get-session')).body;

describe.for(PROVIDERS)('%s', (provider) => {
  test('signs a new user in', async () => {
    const browser = client();
    const person = newPerson();
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect(await sessionOf(browser)).toMatchObject({
      user: { email: person.email, name: 'Ada Lovelace', emailVerified: true },
    });
  });

  test('is asked as the provider wants to be asked', async () => {
    const { body } = await start(client(), provider);
    const url = new URL(body.url);
    expect(url.hostname).toBe({ google: 'accounts.google.com', github: 'github.com' }[provider]);
    expect(url.searchParams.get('client_id')).toBe(`${provider}-id`);
    expect(url.searchParams.get('redirect_uri')).toBe(
      `${service.url}/api/auth/callback/${provider}`,
    );
    expect(url.searchParams.get('state')).toMatch(/.{32}/);
    expect(url.search).not.toContain('secret');
  });

  test('knows the user again', async () => {
    const person = newPerson();
    const [first, second] = [client(), client()];
    await signIn(first, provider, person);
    await signIn(second, provider, person);
    expect((await sessionOf(second)).user.id).toBe((await sessionOf(first)).user.id);
  });

  test('joins the account of the same, verified address', async () => {
    const user = await createSignedInUser(service.services);
    const browser = client();
    await signIn(browser, provider, newPerson({ email: user.email }));
    expect((await sessionOf(browser)).user).toMatchObject({ id: user.id, name: user.name });
  });

  test('takes an address that nobody has confirmed from whoever gave a password for it', async () => {
    const person = newPerson();
    const email = person.email ?? '';
    const squatter = { name: 'Eve', email, password: 'correct horse' };
    const eve = client();
    await eve.post('/api/auth/sign-up/email', squatter);
    await eve.post('/api/auth/request-password-reset', { email, redirectTo: '/choose' });
    const { url: link } = await mailTo(service.config, email, 1);
    const { url: resetLink } = await mailTo(service.config, email, 2);

    const browser = client();
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ email, name: 'Ada Lovelace' });
    expect(await eve.post('/api/auth/sign-in/email', squatter)).toMatchObject({ status: 401 });
    for (const ended of [link, resetLink]) {
      const opened = await eve.get(ended);
      expect(opened.headers.get('location')).toMatch(/error=INVALID_TOKEN/);
    }
    expect(await eve.post('/api/auth/sign-in/email', squatter)).toMatchObject({ status: 401 });
  });

  test('whose address the provider has not verified takes nothing from anybody', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    const account = { name: 'Ada', email, password: 'correct horse' };
    await client().post('/api/auth/sign-up/email', account);
    const { location } = await signIn(client(), provider, person);
    expect(location).toBe('/failed?error=account_not_linked');
    await client().get((await mailTo(service.config, email)).url);
    const signedIn = await client().post('/api/auth/sign-in/email', account);
    expect(signedIn).toMatchObject({ status: 200 });
  });

  test('that claims an address beside a password loses it with the password', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    await signIn(client(), provider, person);
    const own = client();
    const account = { name: 'Bob', email, password: 'correct horse' };
    await own.post('/api/auth/sign-up/email', account);
    await own.get((await mailTo(service.config, email, 2)).url);
    expect(await own.post('/api/auth/sign-in/email', account)).toMatchObject({ status: 200 });
    const { location } = await signIn(client(), provider, person);
    expect(location).toBe('/failed?error=account_not_linked');
  });

  test('that claims an address beside a password is dropped by a link opened elsewhere', async () => {
    const person = newPerson({ emailVerified: false });
    const email = person.email ?? '';
    await signIn(client(), provider, person);
    const account = { name: 'Bob', email, password: 'correct horse' };
    await client().post('/api/auth/sign-up/email', account);
    const opened = await client().get((await mailTo(service.config, email, 1)).url);
    expect(opened.headers.get('location')).toMatch(/\/reset-password\?token=/);
    expect(await client().post('/api/auth/sign-in/email', account)).toMatchObject({ status: 401 });
    expect((await signIn(client(), provider, person)).location).toMatch(/error=account_not_linked/);
  });

  test('with an address that the provider has not verified, it is verified first', async () => {
    const person = newPerson({ emailVerified: false });
    const browser = client();
    const { location } = await signIn(browser, provider, person);
    expect(location).toBe('/failed?error=email_not_verified');
    expect(await sessionOf(browser)).toBeNull();
    await browser.get((await mailTo(service.config, person.email ?? '')).url);
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect((await sessionOf(browser)).user).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('without an address there is no account', async () => {
    const { location } = await signIn(client(), provider, newPerson({ email: null }));
    expect(location).toBe('/failed?error=email_not_found');
  });

  test('a very long name is cut', async () => {
    const browser = client();
    await signIn(browser, provider, newPerson({ name: `A\u0007${'ä'.repeat(200)}` }));
    expect((await sessionOf(browser)).user.name).toBe(`A${'ä'.repeat(49)}`);
  });

  test('comes back to any replica, and after Redis was lost', async () => {
    const browser = client();
    const { body } = await start(browser, provider);
    const redis = new Redis(stores.redisUrl);
    await redis.flushall();
    redis.disconnect();
    const back = providers.agree(body.url, newPerson());
    const answer = await browser.at(other.url).get(`${back.pathname}${back.search}`);
    expect(answer.headers.get('location')).toBe('/play');
  });

  test('a callback in another browser, twice, or with a made-up state signs nobody in', async () => {
    const browser = client();
    const { body } = await start(browser, provider);
    const back = providers.agree(body.url, newPerson());

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

  test('a person who does not agree is led back', async () => {
    const browser = client();
    const { body } = await start(browser, provider);
    const back = providers.agree(body.url, newPerson());
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    const answer = await browser.get(back.href);
    expect(answer.headers.get('location')).toBe('/failed?error=access_denied');
  });

  test('while the provider fails, the person is led back, and can try again', async () => {
    // better-auth's GitHub writes here by itself.
    const written = vi.spyOn(console, 'error').mockImplementation(() => {});
    const person = newPerson();
    const browser = client();
    providers.failWith = 500;
    expect((await signIn(browser, provider, person)).location).toMatch(/^\/failed\?error=/);
    providers.failWith = undefined;
    expect((await signIn(browser, provider, person)).location).toBe('/play');
    expect(JSON.stringify(written.mock.calls)).not.toContain('secret');
    written.mockRestore();
  });

  test('without its credentials it is off', async () => {
    const without = await startService(stores);
    try {
      const answer = await start(createHttpClient(without.url), provider);
      expect(answer).toMatchObject({ status: 404, body: { code: 'PROVIDER_NOT_FOUND' } });
    } finally {
      await without.stop();
    }
  });
});

test('google and github of one address are one user', async () => {
  const person = newPerson();
  const [first, second] = [client(), client()];
  await signIn(first, 'google', person);
  await signIn(second, 'github', person);
  expect((await sessionOf(second)).user.id).toBe((await sessionOf(first)).user.id);
});

test('github signs in who has no name there by their login', async () => {
  const browser = client();
  await signIn(browser, 'github', newPerson({ name: null, login: 'ada-l' }));
  expect((await sessionOf(browser)).user.name).toBe('ada-l');
});

test('google signs in by the token that a native app has got', async () => {
  const person = newPerson();
  const use = (clientId: string, browser = client()) =>
    browser.post('/api/auth/sign-in/social', {
      provider: 'google',
      idToken: { token: providers.googleIdToken(person, clientId) },
    });
  expect(await use('google-id')).toMatchObject({
    status: 200,
    body: { user: { name: person.name } },
  });
  expect(await use('somebody-else')).toMatchObject({ status: 401 });
});

test('nobody is led to a page that is not trusted', async () => {
  for (const field of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])
    expect(
      await client().post('/api/auth/sign-in/social', {
        provider: 'google',
        [field]: 'https://evil.example/',
      }),
    ).toMatchObject({ status: 403 });
});

test('what the providers gave us for a user is encrypted in the database', async () => {
  const browser = client();
  await signIn(browser, 'github', newPerson());
  const userId = (await sessionOf(browser)).user.id;
  const account = await service.services.db.account.findFirst({ where: { userId } });
  expect(account?.accessToken).toMatch(/^[0-9a-f]{80,}$/);
});
