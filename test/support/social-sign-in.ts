// Two replicas and a worker that let users sign in with the faked Google and GitHub.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type MailingReplicas, useMailingReplicas } from './accounts.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import { type Person, type SocialProviders, startSocialProviders } from './social-providers.ts';

export const CREDENTIALS = {
  GOOGLE_CLIENT_ID: 'google-id',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GITHUB_CLIENT_ID: 'github-id',
  GITHUB_CLIENT_SECRET: 'github-secret',
};
export const PROVIDERS = ['google', 'github'] as const;
type Provider = (typeof PROVIDERS)[number];

export interface SocialSignIn extends MailingReplicas {
  providers: SocialProviders;
  /** @returns a new browser's client of the first replica */
  client(): HttpClient;
  /** Asks the first replica for the provider's address, consents there, and opens the callback. */
  signIn(browser: HttpClient, provider: Provider, person: Person): Promise<HttpResponse & { location: string | null }>;
}

/** The services exist from the file's first `beforeAll` until its last `afterAll`. */
export function useSocialSignIn(): SocialSignIn {
  const social = {} as Pick<SocialSignIn, 'providers'>;
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
    client: () => createHttpClient(replicas.service.url),
    async signIn(browser: HttpClient, provider: Provider, person: Person) {
      const started = await startSignIn(browser, provider);
      expect(started).toMatchObject({ status: 200, body: { redirect: true } });
      const answer = await browser.get(social.providers.agree(started.body.url, person).href);
      expect(answer.status).toBe(302);
      return { ...answer, location: answer.headers.get('location') };
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
