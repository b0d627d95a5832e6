// The service for tests of accounts: replicas and their stores, a worker where emails are read, and sign-ups by email.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Consumer } from '../../src/platform/queues/queue.ts';
import type { Services } from '../../src/services.ts';
import { startJobs } from '../../worker/jobs.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import { mailsTo, mailTo } from './outbox.ts';
import { startService, type TestService, useReplicas } from './service.ts';

/** Two replicas for all tests of a file, so that a test can change an account on one and check the other. */
export function useTwoReplicas() {
  const [here, there] = useReplicas(2).replicas as [TestService, TestService];
  /** @returns whether the replica `there` accepts the session cookie */
  const isValid = async (cookie: string) => (await there.services.userSessions.findUser({ cookie })) !== null;
  return { here, there, isValid };
}

type MailingOptions = { count?: number; env?: NodeJS.ProcessEnv } & Parameters<typeof useReplicas>[2];

/**
 * Replicas and a worker, which sends the mails, for all tests of a file.
 * @param options.env overrides, as in the environment; the others are those of `useReplicas`
 */
export function useMailingReplicas({ count = 2, env = {}, ...options }: MailingOptions = {}) {
  const { replicas, stores } = useReplicas(count, env, options);
  const [service, other] = replicas as [TestService, TestService];
  let worker: Consumer;
  beforeAll(() => {
    worker = startJobs(service.services);
  });
  afterAll(() => worker.close());
  return {
    service,
    /** Another replica of the same service, if there is more than one. */
    other,
    stores,
    /** @returns the client of a new browser, at the first replica unless `url` names another */
    client: (url = service.url): HttpClient => createHttpClient(url, { origin: service.url }),
  };
}

/** @returns the token of a new link that resets the user's password, valid for a minute */
export async function createResetToken({ auth }: Pick<Services, 'auth'>, userId: string): Promise<string> {
  const token = randomUUID();
  await (await auth.$context).internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt: new Date(Date.now() + 60_000),
  });
  return token;
}

// Sign-ups by email, and the answers to their links: the password of the sign-up, or a new one.

type Credentials = typeof CHOSEN;

export const EVE = { name: 'Eve', password: 'the password of Eve' };
export const ADA = { name: 'Ada', password: 'the password of Ada' };
export const CHOSEN = { password: 'a password that is chosen' };

export const tokenOf = (link: string) => new URL(link, 'http://page').searchParams.get('token');

export function useSignUpLinks() {
  const replicas = useMailingReplicas();
  const { service, stores, client } = replicas;
  const signIn = (email: string, { password }: Credentials) =>
    client().post('/api/auth/sign-in/email', { email, password });
  return {
    ...replicas,
    /** Starts a replica with other settings that accepts the links of the first one. */
    startSibling: (env: NodeJS.ProcessEnv): Promise<TestService> =>
      startService(stores, { BETTER_AUTH_SECRET: service.config.auth.secret, ...env }),
    /** @returns the link in the mail that the sign-up sends */
    async signUp(by: HttpClient, email: string, person: typeof EVE): Promise<string> {
      const count = mailsTo(service.config, email).length + 1;
      const account = { ...person, email, callbackURL: '/welcome' };
      expect(await by.post('/api/auth/sign-up/email', account)).toMatchObject({ status: 200 });
      return (await mailTo(service.config, email, count)).url;
    },
    signIn,
    statusOf: async (email: string, credentials: Credentials): Promise<number> =>
      (await signIn(email, credentials)).status,
    /** Answers a link with the password of its sign-up. */
    confirm: (link: string, { password }: Credentials, by = client()) =>
      by.post('/api/auth/verify-email/confirm', { token: tokenOf(link), password }),
    /** Answers a link with a new password. */
    choose: (link: string, { password, name }: Credentials & { name?: string }, by = client()) =>
      by.post('/api/auth/verify-email/choose', { token: tokenOf(link), newPassword: password, name }),
  };
}

export const tokenIn = ({ location }: HttpResponse) => tokenOf(location ?? '');

/** Sets a password by the token of a link, as the page does to which the link redirects. */
export const resetPassword = (by: HttpClient, token: string | null, newPassword: string) =>
  by.post('/api/auth/reset-password', { newPassword, token });

// Accounts with an email address and a password, which a browser makes as its user would.

export const PASSWORD = 'correct horse';

export const newEmail = () => `${randomUUID()}@example.com`;

export const signUp = (by: HttpClient, email: string, more: object = {}) =>
  by.post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD, ...more });

export const signIn = (by: HttpClient, email: string, password = PASSWORD) =>
  by.post('/api/auth/sign-in/email', { email, password });

export function useEmailAccounts() {
  const replicas = useMailingReplicas({ count: 1 });
  const { service, client } = replicas;
  return {
    ...replicas,
    /** Signs up, opens the link in the email, and signs in. @returns the browser */
    async signedIn(email = newEmail()): Promise<HttpClient> {
      const browser = client();
      await signUp(browser, email);
      await browser.get((await mailTo(service.config, email)).url);
      expect(await signIn(browser, email)).toMatchObject({ status: 200 });
      return browser;
    },
  };
}
