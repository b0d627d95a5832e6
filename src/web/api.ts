// HTTP requests: the client library for the API, and plain calls for better-auth and the page's own files.
import { ApiError } from '../client/api-error.ts';
import { type Call, createCall, type FetchLike } from '../client/http.ts';
import { createClient } from '../client/index.ts';

/** The event on `window` for a reply that says that the session is over. */
export const SIGNED_OUT = 'page:signed-out';

/** What a refusal says of a limit that all users of a network share. */
const OF_NETWORK = 'from your network';

/** The code of an `ApiError` for a limit that all users of a network share, such as a school's. */
export const NETWORK_BUSY = 'NETWORK_BUSY';

const baseUrl = location.origin;

/** The service names guests and writes mails in the language of the page, which may not be the browser's. [contract 22, 25] */
const fetchInLanguage: FetchLike = (url, options) =>
  fetch(url, { ...options, headers: { ...options.headers, 'accept-language': document.documentElement.lang } });

export const client = createClient({
  baseUrl,
  async fetch(url, options) {
    const response = await fetchInLanguage(url, options);
    if (response.status === 401) dispatchEvent(new Event(SIGNED_OUT));
    return response;
  },
});

const send = createCall({ baseUrl, fetch: fetchInLanguage });

/** Calls paths outside of the API's schemas: better-auth's and the page's own. */
export const call: Call = <T>(...request: Parameters<Call>) =>
  send<T>(...request).catch((error: ApiError) => {
    // The contract's code or better-auth's for a request without a session.
    if (error.code === 'UNAUTHENTICATED' || error.code === 'UNAUTHORIZED') dispatchEvent(new Event(SIGNED_OUT));
    throw asNetworkLimit(error);
  });

/**
 * Sign-ins and guests are limited by the client's address too, whose refusal is no fault of the user's.
 * @returns the error, with its own code if it is such a refusal
 */
export function asNetworkLimit(error: ApiError): ApiError {
  const { status, message, retryAfterMs } = error;
  return status === 429 && message.includes(OF_NETWORK)
    ? new ApiError(status, NETWORK_BUSY, message, { retryAfterMs })
    : error;
}
