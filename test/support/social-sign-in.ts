// Two replicas and a worker that let users sign in with the faked Google and GitHub.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { useMailingReplicas } from './accounts.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

/** A person's profile at a provider. */
interface Person {
  id: number;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  login?: string;
}

const HOSTS = ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com', 'github.com', 'api.github.com'];
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Grant {
  person: Person;
  challenge: string | null;
  redirectUri: string | null;
  clientId: string;
}

async function startSocialProviders() {
  const grants = new Map<string, Grant>();
  const people = new Map<string, Person>();

  const exchange = (form: URLSearchParams): object => {
    const grant = grants.get(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isProper =
      grant &&
      (grant.challenge === null || grant.challenge === challenge) &&
      form.get('redirect_uri') === grant.redirectUri;
    if (!isProper) return { error: 'bad_verification_code' };
    grants.delete(form.get('code') ?? '');
    const token = randomUUID();
    people.set(token, grant.person);
    return {
      access_token: token,
      token_type: 'bearer',
      scope: 'email',
      id_token: idTokenOf(grant.person, grant.clientId),
    };
  };
  const personOf = (request: IncomingMessage) =>
    people.get((request.headers.authorization ?? '').replace(/^bearer /i, ''));

  const answers: Record<string, (request: IncomingMessage, body: string) => object | undefined> = {
    '/oauth2.googleapis.com/token': (_request, body) => exchange(new URLSearchParams(body)),
    '/github.com/login/oauth/access_token': (_request, body) => exchange(new URLSearchParams(body)),
    '/www.googleapis.com/oauth2/v3/certs': () => ({
      keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }],
    }),
    '/api.github.com/user': (request) => {
      const person = personOf(request);
      return person && { id: person.id, login: person.login, name: person.name, email: null };
    },
    '/api.github.com/user/emails': (request) => {
      const person = personOf(request);
      return person && [{ email: person.email, verified: person.emailVerified, primary: true }];
    },
  };

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = providers.failWith ? undefined : answers[request.url ?? '']?.(request, body);
    const status = providers.failWith ?? (answer ? 200 : 401);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: 'no' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const restoreFetch = leadFetchTo(server);

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
      const clientId = asked.get('client_id') ?? '';
      const redirectUri = asked.get('redirect_uri');
      grants.set(code, { person, challenge: asked.get('code_challenge'), redirectUri, clientId });
      const back = new URL(redirectUri ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      return back;
    },
    /** @returns the ID token that a native app with `clientId` gets from Google */
    googleIdToken: idTokenOf,
    async stop(): Promise<void> {
      restoreFetch();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return providers;
}

function leadFetchTo(server: Server): () => void {
  const { port } = server.address() as AddressInfo;
  const realFetch = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!HOSTS.includes(url.hostname)) return realFetch(input, init);
    return realFetch(`http://127.0.0.1:${port}/${url.hostname}${url.pathname}${url.search}`, init);
  });
  return () => spy.mockRestore();
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
  const parts = [{ alg: 'RS256', kid: 'k1', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const content = parts.join('.');
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

/** The services exist from the file's first `beforeAll` until its last `afterAll`. */
export function useSocialSignIn() {
  const social = {} as { providers: Awaited<ReturnType<typeof startSocialProviders>> };
  beforeAll(async () => {
    social.providers = await startSocialProviders();
  });
  afterAll(() => social.providers.stop());
  const replicas = useMailingReplicas({ env: CREDENTIALS });
  beforeEach(() => {
    social.providers.failWith = undefined;
  });
  return Object.assign(social, {
    ...replicas,
    /** @returns a new browser's client of the first replica */
    client: () => createHttpClient(replicas.service.url),
    /** Asks the first replica for the provider's address, consents there, and opens the callback. */
    async signIn(browser: HttpClient, provider: Provider, person: Person) {
      const started = await startSignIn(browser, provider);
      expect(started).toMatchObject({ status: 200, body: { redirect: true } });
      const answer = await browser.get(social.providers.agree(started.body.url, person).href);
      expect(answer.status).toBe(302);
      return answer;
    },
  });
}

let lastId = 1000;
export function newPerson(more: Partial<Person> = {}): Person {
  lastId += 1;
  const email = `${randomUUID()}@example.com`;
  return { id: lastId, email, emailVerified: true, name: 'Ada Lovelace', login: 'ada', ...more };
}

/** Asks the service for the provider's address. */
export const startSignIn = (browser: HttpClient, provider: Provider) =>
  browser.post('/api/auth/sign-in/social', { provider, callbackURL: '/play', errorCallbackURL: '/failed' });

/** @returns the user and session of the browser, or null */
export const sessionOf = async (browser: HttpClient) => (await browser.get('/api/auth/get-session')).body;
