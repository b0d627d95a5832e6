// Accounts with an email address and a password, which a browser makes as its user would.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { useMailingReplicas } from './accounts.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { mailTo } from './outbox.ts';
import type { TestService } from './service.ts';
import type { TestStores } from './stores.ts';

export const PASSWORD = 'correct horse';

export const newEmail = () => `${randomUUID()}@example.com`;

export const signUp = (by: HttpClient, email: string, more: object = {}) =>
  by.post('/api/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD, ...more });

export const signIn = (by: HttpClient, email: string, password = PASSWORD) =>
  by.post('/api/auth/sign-in/email', { email, password });

export interface EmailAccounts {
  service: TestService;
  stores: TestStores;
  /** @returns the client of a new browser */
  client(): HttpClient;
  /** Signs up, opens the link in the email, and signs in. @returns the browser */
  signedIn(email?: string): Promise<HttpClient>;
}

/** The service exists from the file's first `beforeAll` until its last `afterAll`. */
export function useEmailAccounts(): EmailAccounts {
  const { service, stores } = useMailingReplicas({ count: 1 });
  const client = () => createHttpClient(service.url);
  return {
    service,
    stores,
    client,
    async signedIn(email = newEmail()) {
      const browser = client();
      await signUp(browser, email);
      await browser.get((await mailTo(service.config, email)).url);
      expect(await signIn(browser, email)).toMatchObject({ status: 200 });
      return browser;
    },
  };
}
