// HTTP requests: the client library for the API, and plain calls for better-auth and the page's own files.
import type { ApiError } from '../client/api-error.ts';
import { createClient } from '../client/client.ts';
import { type Call, createCall } from '../client/http.ts';
import type { OutboxMail, PageConfig } from './frame/page-schema.ts';

/** The event on `window` for a reply that says that the session is over. */
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

const send = createCall({ baseUrl });

/** Calls paths outside of the API's schemas: better-auth's and the page's own. */
export const call: Call = <T>(...request: Parameters<Call>) =>
  send<T>(...request).catch((error: ApiError) => {
    if (isSignedOut(error.code)) dispatchEvent(new Event(SIGNED_OUT));
    throw error;
  });

export const page = {
  config: () => call<PageConfig>('GET', '/web/config.json'),
  outbox: () => call<{ mails: OutboxMail[] }>('GET', '/web/outbox.json'),
};

/** @returns whether this is the contract's code or better-auth's for a request without a session */
function isSignedOut(code: string): boolean {
  return code === 'UNAUTHENTICATED' || code === 'UNAUTHORIZED';
}
