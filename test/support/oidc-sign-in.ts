// Two replicas and a worker that let users sign in with a real OpenID Connect provider.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { type MailingReplicas, useMailingReplicas } from './accounts.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import { type Claims, createIdentityProvider, type IdentityProvider } from './identity-provider.ts';

export interface OidcSignIn extends MailingReplicas {
  provider: IdentityProvider;
  /** The settings with which a service uses the provider. */
  env: NodeJS.ProcessEnv;
  /** The address to which the provider redirects browsers. */
  redirectUri(): string;
  /** @returns a new browser's client of the first replica */
  client(): HttpClient;
  /** Asks for the provider's address, signs in there, and opens the callback. */
  signIn(browser: HttpClient, person: Claims): Promise<Returned>;
  /** The same by /link-social, for the user who is signed in in this browser. */
  link(browser: HttpClient, person: Claims): Promise<Returned>;
}

type Returned = HttpResponse & { location: string | null };

/**
 * The services exist from the file's first `beforeAll` until its last `afterAll`. The provider does not listen yet
 * if `isAway` is set.
 * @param more further settings of the service
 */
export function useOidcSignIn({
  isAway = false,
  env: more = {},
}: {
  isAway?: boolean;
  env?: NodeJS.ProcessEnv;
} = {}): OidcSignIn {
  const provider = {} as IdentityProvider;
  const env: NodeJS.ProcessEnv = { ...more };
  beforeAll(async () => {
    Object.assign(provider, await createIdentityProvider());
    const { issuer, clientId, clientSecret } = provider;
    Object.assign(env, { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret });
  });
  const replicas = useMailingReplicas({ env });
  const redirectUri = () => `${replicas.service.url}/api/auth/callback/oidc`;
  beforeAll(async () => {
    if (!isAway) await provider.start(redirectUri());
  });
  afterAll(() => provider.stop());

  async function go(browser: HttpClient, path: string, person: Claims): Promise<Returned> {
    const started = await startOidc(browser, path);
    expect(started).toMatchObject({ status: 200, body: { redirect: true } });
    const answer = await browser.get((await provider.agree(started.body.url, person)).href);
    expect(answer.status).toBe(302);
    return { ...answer, location: answer.headers.get('location') };
  }

  return {
    ...replicas,
    env,
    provider,
    redirectUri,
    client: () => createHttpClient(replicas.service.url),
    signIn: (browser, person) => go(browser, SIGN_IN, person),
    link: (browser, person) => go(browser, '/api/auth/link-social', person),
  };
}

const SIGN_IN = '/api/auth/sign-in/social';

/** Asks the service for the provider's address. */
export const startOidc = (browser: HttpClient, path = SIGN_IN) =>
  browser.post(path, { provider: 'oidc', callbackURL: '/play', errorCallbackURL: '/failed' });

/** @returns somebody whom the provider knows and no service does */
export function newClaims(more: Record<string, unknown> = {}): Claims & { email: string } {
  const email = `${randomUUID()}@school.example`;
  const known = { sub: randomUUID(), email, email_verified: true, name: 'Ada Lovelace' };
  return { ...known, ...more };
}

/** @returns the code of a refusal in a redirect, or null */
export const errorIn = ({ location }: { location: string | null }) =>
  new URL(location ?? '', 'http://page').searchParams.get('error');
