// Sign-ups by email, and the answers to their links: the password of the sign-up, or a new one.
import { expect } from 'vitest';
import { type MailingReplicas, useMailingReplicas } from './accounts.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.ts';
import { mailsTo, mailTo } from './outbox.ts';
import { startService, type TestService } from './service.ts';

interface Credentials {
  password: string;
}
interface Person extends Credentials {
  name: string;
}

export const EVE: Person = { name: 'Eve', password: 'the password of Eve' };
export const ADA: Person = { name: 'Ada', password: 'the password of Ada' };
export const CHOSEN: Credentials = { password: 'a password that is chosen' };

/** @returns the token in a link */
export const tokenOf = (link: string) => new URL(link).searchParams.get('token');

export interface SignUpLinks extends MailingReplicas {
  /** Starts a replica with other settings that accepts the links of the first one. */
  startSibling(env: NodeJS.ProcessEnv): Promise<TestService>;
  /** @returns the client of a new browser, at the first replica unless `url` names another */
  client(url?: string): HttpClient;
  /** @returns the link in the mail that the sign-up sends */
  signUp(by: HttpClient, email: string, person: Person): Promise<string>;
  signIn(email: string, credentials: Credentials): Promise<HttpResponse>;
  /** @returns the status of a sign-in */
  statusOf(email: string, credentials: Credentials): Promise<number>;
  /** Answers a link with the password of its sign-up. */
  confirm(link: string, credentials: Credentials, by?: HttpClient): Promise<HttpResponse>;
  /** Answers a link with a new password. */
  choose(link: string, chosen: Credentials & { name?: string }, by?: HttpClient): Promise<HttpResponse>;
}

/** The replicas exist from the file's first `beforeAll` until its last `afterAll`. */
export function useSignUpLinks(): SignUpLinks {
  const replicas = useMailingReplicas();
  const { service, stores } = replicas;
  const client = (url = service.url) => createHttpClient(url, { origin: service.url });
  const signIn = (email: string, { password }: Credentials) =>
    client().post('/api/auth/sign-in/email', { email, password });
  return {
    ...replicas,
    startSibling: (env) => startService(stores, { BETTER_AUTH_SECRET: service.config.auth.secret, ...env }),
    client,
    async signUp(by, email, person) {
      const count = mailsTo(service.config, email).length + 1;
      const account = { ...person, email, callbackURL: '/welcome' };
      expect(await by.post('/api/auth/sign-up/email', account)).toMatchObject({ status: 200 });
      return (await mailTo(service.config, email, count)).url;
    },
    signIn,
    statusOf: async (email, credentials) => (await signIn(email, credentials)).status,
    confirm: (link, { password }, by = client()) =>
      by.post('/api/auth/verify-email/confirm', { token: tokenOf(link), password }),
    choose: (link, { password, name }, by = client()) =>
      by.post('/api/auth/verify-email/choose', { token: tokenOf(link), newPassword: password, name }),
  };
}

/** @returns the token in the redirect of a password link, or null */
export function tokenIn(opened: HttpResponse): string | null {
  const location = opened.headers.get('location') ?? '';
  return new URL(location, 'http://page').searchParams.get('token');
}

/** Sets a password as the page does to which the link has redirected. */
export function choosePassword(by: HttpClient, opened: HttpResponse, newPassword: string) {
  return by.post('/api/auth/reset-password', { newPassword, token: tokenIn(opened) });
}
