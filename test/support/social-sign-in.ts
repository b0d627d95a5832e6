// Two replicas and a worker that let users sign in with the faked Google and GitHub.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { newEmail, useMailingReplicas } from './accounts.ts';
import type { HttpClient } from './http-client.ts';
import { openCallback } from './oidc-sign-in.ts';

interface Person {
  id: number;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  login?: string;
}

const HOSTS = ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com', 'github.com', 'api.github.com'];
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });

function startSocialProviders() {
  /** Who has consented, and to what the service has asked for, by code. */
  const grants = new Map<string, { person: Person; asked: URLSearchParams }>();
  const people = new Map<string, Person>();

  const exchange = (form: URLSearchParams): object => {
    const { person, asked } = grants.get(form.get('code') ?? '') ?? {};
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isProper =
      (asked?.get('code_challenge') ?? challenge) === challenge &&
      form.get('redirect_uri') === asked?.get('redirect_uri');
    if (!person || !isProper) return { error: 'bad_verification_code' };
    grants.delete(form.get('code') ?? '');
    const token = randomUUID();
    people.set(token, person);
    const id_token = idTokenOf(person, asked?.get('client_id') ?? '');
    return { access_token: token, token_type: 'bearer', scope: 'email', id_token };
  };
  const personOf = ({ headers }: Request) => people.get((headers.get('authorization') ?? '').replace(/^bearer /i, ''));

  const answers: Record<string, (person: Person | undefined, body: string) => object | undefined> = {
    'oauth2.googleapis.com/token': (_, body) => exchange(new URLSearchParams(body)),
    'github.com/login/oauth/access_token': (_, body) => exchange(new URLSearchParams(body)),
    'www.googleapis.com/oauth2/v3/certs': () => ({
      keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }],
    }),
    'api.github.com/user': (person) => person && { id: person.id, login: person.login, name: person.name, email: null },
    'api.github.com/user/emails': (person) =>
      person && [{ email: person.email, verified: person.emailVerified, primary: true }],
  };

  const realFetch = globalThis.fetch;
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { hostname, pathname } = new URL(input instanceof Request ? input.url : input);
    if (!HOSTS.includes(hostname)) return realFetch(input, init);
    const request = new Request(input, init);
    const answer = providers.failWith
      ? undefined
      : answers[hostname + pathname]?.(personOf(request), await request.text());
    return Response.json(answer ?? { message: 'no' }, { status: providers.failWith ?? (answer ? 200 : 401) });
  });

  const providers = {
    /** While it is set, the providers' APIs respond with this status. */
    failWith: undefined as number | undefined,
    /**
     * Gives the person's consent on the provider's page.
     * @param authorizationUrl the URL to which the service has redirected the browser
     * @returns the URL to which the provider redirects the browser
     */
    agree(authorizationUrl: string, person: Person): URL {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      grants.set(code, { person, asked });
      const back = new URLSearchParams({ code, state: asked.get('state') ?? '' });
      return new URL(`${asked.get('redirect_uri')}?${back}`);
    },
    /** @returns the ID token that a native app with `clientId` gets from Google */
    googleIdToken: idTokenOf,
    stop: () => fetching.mockRestore(),
  };
  return providers;
}

function idTokenOf({ id, email, emailVerified, name }: Person, clientId: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'https://accounts.google.com',
    aud: clientId,
    sub: String(id),
    email,
    email_verified: emailVerified,
    name,
    iat: nowSeconds,
    exp: nowSeconds + 600,
  };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encoded({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key.privateKey).toString('base64url')}`;
}

export const CREDENTIALS = {
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GITHUB_CLIENT_ID: 'github-id',
  GITHUB_CLIENT_SECRET: 'github-secret',
};
export const PROVIDERS = ['google', 'github'] as const;
type Provider = (typeof PROVIDERS)[number];

export function useSocialSignIn() {
  const social = {} as { providers: ReturnType<typeof startSocialProviders> };
  beforeAll(() => {
    social.providers = startSocialProviders();
  });
  afterAll(() => social.providers.stop());
  const replicas = useMailingReplicas({ env: CREDENTIALS });
  beforeEach(() => {
    social.providers.failWith = undefined;
  });
  return Object.assign(social, {
    ...replicas,
    /** Asks the first replica for the provider's address, consents there, and opens the callback. */
    async signIn(browser: HttpClient, provider: Provider, person: Person) {
      const agree = (url: string) => social.providers.agree(url, person);
      return openCallback(browser, await startSignIn(browser, provider), agree);
    },
  });
}

let lastId = 1000;
export function newPerson() {
  lastId += 1;
  return { id: lastId, email: newEmail(), emailVerified: true, name: 'Ada Lovelace', login: 'ada' };
}

export const startSignIn = (browser: HttpClient, provider: Provider) =>
  browser.post('/api/auth/sign-in/social', { provider, callbackURL: '/play', errorCallbackURL: '/failed' });

/** @returns the user and session of the browser, or null */
export const sessionOf = async (browser: HttpClient) => (await browser.get('/api/auth/get-session')).body;
