// Two replicas and a worker that let users sign in with an OpenID Connect provider, and that provider.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Configuration, Provider } from 'oidc-provider';
import { beforeAll, expect, vi } from 'vitest';
import { freePort } from '../../src/tools/dev/ports.ts';
import { useMailingReplicas } from './accounts.ts';
import { forAllTests } from './for-all-tests.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';

/** @param isAway whether the provider does not listen yet @param more further settings of the service */
export function useOidcSignIn({ isAway = false, env: more = {} }: { isAway?: boolean; env?: NodeJS.ProcessEnv } = {}) {
  const provider = forAllTests(createIdentityProvider);
  const env: NodeJS.ProcessEnv = { ...more };
  beforeAll(() => {
    const { issuer, clientId, clientSecret } = provider;
    Object.assign(env, { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret });
  });
  const replicas = useMailingReplicas({ env });
  const redirectUri = () => `${replicas.service.url}/api/auth/callback/oidc`;
  beforeAll(async () => {
    if (!isAway) await provider.start(redirectUri());
  });

  const go = async (browser: HttpClient, path: string, person: Claims) =>
    openCallback(browser, await startOidc(browser, path), (url) => provider.agree(url, person));

  return {
    ...replicas,
    env,
    provider,
    /** The address to which the provider redirects browsers. */
    redirectUri,
    /** Asks for the provider's address, signs in there, and opens the callback. */
    signIn: (browser: HttpClient, person: Claims) => go(browser, SIGN_IN, person),
    /** The same by /link-social, for the user who is signed in in this browser. */
    link: (browser: HttpClient, person: Claims) => go(browser, '/api/auth/link-social', person),
  };
}

/**
 * Opens the callback to which a provider redirects the browser after the person's consent.
 * @param started the service's reply, which names the provider's address
 * @param agree gives the consent at this address
 */
export async function openCallback(
  browser: HttpClient,
  started: HttpResponse,
  agree: (authorizationUrl: string) => URL | Promise<URL>,
): Promise<HttpResponse> {
  expect(started).toMatchObject({ status: 200, body: { redirect: true } });
  const answer = await browser.get((await agree(started.body.url)).href);
  expect(answer.status).toBe(302);
  return answer;
}

const SIGN_IN = '/api/auth/sign-in/social';

export const startOidc = (browser: HttpClient, path = SIGN_IN) =>
  browser.post(path, { provider: 'oidc', callbackURL: '/play', errorCallbackURL: '/failed' });

/** @returns somebody whom the provider knows and no service does */
export function newClaims(more: Record<string, unknown> = {}): Claims & { email: string } {
  const email = `${randomUUID()}@school.example`;
  return { sub: randomUUID(), email, email_verified: true, name: 'Ada Lovelace', ...more };
}

/** @returns the code of a refusal in a redirect, or null */
export const errorIn = ({ location }: HttpResponse) => new URL(location ?? '', 'http://page').searchParams.get('error');

// A real OpenID Connect provider on loopback, in the test's process: `oidc-provider` with all of its checks. Only its
// sign-in page is replaced, by a handler that signs in whom the test names.

/** The provider's claims about somebody. `sub` is the id there. */
export interface Claims {
  sub: string;
  [claim: string]: unknown;
}

/** Deviations from an ordinary provider, for the time that it listens. */
export interface Oddities {
  /** How clients must authenticate at the token endpoint; without it the default of OpenID Connect. */
  clientAuthentication?: 'client_secret_post' | 'client_secret_basic';
  /** Whether the ID token has all claims, instead of the user info endpoint. */
  hasClaimsInToken?: boolean;
  /** Sees each request before the provider does. @returns whether it has taken the request, so that the provider does not */
  intercept?(request: IncomingMessage, response: ServerResponse): boolean;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SIGNING_KEY = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' };

/** @returns a provider that does not listen yet */
async function createIdentityProvider() {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const client = { clientId: 'quiz:1', clientSecret: 'a secret with +, % and :' };
  const people = new Map<string, Claims>();
  let server: Server | undefined;
  let signsIn: Claims | undefined;

  function createProvider(redirectUri: string, { clientAuthentication, hasClaimsInToken }: Oddities): Provider {
    const known = { client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] };
    // It warns that its storage in memory is none for production.
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const provider = new Provider(issuer, {
      ...CONFIGURATION,
      clients: [{ ...known, ...(clientAuthentication && { token_endpoint_auth_method: clientAuthentication }) }],
      conformIdTokenClaims: !hasClaimsInToken,
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
    });
    warned.mockRestore();
    return provider;
  }

  return {
    issuer,
    ...client,
    /** @param redirectUri the address to which it may redirect browsers */
    async start(redirectUri: string, oddities: Oddities = {}): Promise<void> {
      const provider = createProvider(redirectUri, oddities);
      const handle = provider.callback();
      server = createServer(async (request, response) => {
        if (oddities.intercept?.(request, response)) return;
        if (!request.url?.startsWith(SIGN_IN_PAGE)) return handle(request, response);
        const login = { accountId: signsIn?.sub ?? '' };
        await provider.interactionFinished(request, response, { login });
      });
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    /** Stops listening. The keys and the address stay, and everything else is forgotten. */
    async stop(): Promise<void> {
      if (!server?.listening) return;
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
    /**
     * Signs somebody in at the provider, in a new browser.
     * @param authorizationUrl the address to which the service has redirected the browser
     * @returns the address to which the provider redirects the browser
     */
    async agree(authorizationUrl: string, person: Claims): Promise<URL> {
      people.set(person.sub, person);
      signsIn = person;
      const browser = createHttpClient(issuer);
      let url = new URL(authorizationUrl);
      while (url.origin === issuer) {
        const { body, location, status } = await browser.get(url.href);
        if (!location) throw new Error(`The provider answered ${status}: ${JSON.stringify(body)}`);
        url = new URL(location, issuer);
      }
      return url;
    },
  };
}

const SIGN_IN_PAGE = '/sign-in';

const CONFIGURATION: Configuration = {
  jwks: { keys: [SIGNING_KEY] },
  cookies: { keys: [randomUUID()] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'picture'] },
  ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `${SIGN_IN_PAGE}/${uid}` },
  // Everybody consents to everything.
  async loadExistingGrant({ oidc }) {
    const { accountId } = oidc.session ?? {};
    const { clientId } = oidc.client ?? {};
    const grant = new oidc.provider.Grant({ accountId, clientId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
};
