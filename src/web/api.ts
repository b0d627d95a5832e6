// The service over HTTP, by the client library; and what the page alone asks for.
import type { ApiError } from '../client/api-error.ts';
import { createClient } from '../client/client.ts';
import { type Call, createCall } from '../client/http.ts';
import type { OutboxMail, PageConfig } from './page-schema.ts';

/** Dispatched on `window` when the service no longer knows who we are. */
export const SIGNED_OUT = 'page:signed-out';

const baseUrl = location.origin;

export const client = createClient({
  baseUrl,
  async fetch(url, options) {
    const response = await fetch(url, options);
    if (response.status === 401) dispatchEvent(new Event(SIGNED_OUT));
    return response;
  },
});

const ask = createCall({ baseUrl });

/** For what is no part of the service's API proper: accounts, and the page's own. */
export const call: Call = <T>(...request: Parameters<Call>) =>
  ask<T>(...request).catch((error: ApiError) => {
    if (isSignedOut(error.code)) dispatchEvent(new Event(SIGNED_OUT));
    throw error;
  });

export const page = {
  config: () => call<PageConfig>('GET', '/web/config.json'),
  outbox: () => call<{ mails: OutboxMail[] }>('GET', '/web/outbox.json'),
};

/** The contract's code, and better-auth's own. */
function isSignedOut(code: string): boolean {
  return code === 'UNAUTHENTICATED' || code === 'UNAUTHORIZED';
}
