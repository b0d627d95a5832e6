// One request to the service, and what its answer means. [contract 1, 15]
import { ApiError } from './api-error.ts';

const TIMEOUT_MS = 15_000;

/** What the library asks of `fetch`. */
export interface RequestOptions {
  method: string;
  headers: Record<string, string>;
  credentials: 'include' | 'omit';
  body?: string;
  // biome-ignore lint/suspicious/noExplicitAny: an AbortSignal, a type that not every program knows
  signal: any;
}

/** What the library reads of a response. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** A browser's or Node.js's `fetch` fits as it is. */
export type FetchLike = (url: string, options: RequestOptions) => Promise<ResponseLike>;

export interface HttpOptions {
  /** The service's address, such as `https://quiz.example.org`. */
  baseUrl: string;
  fetch?: FetchLike | undefined;
  /** Sent with each request; in browsers the browser's own cookies are. */
  cookie?: string | undefined;
}

/**
 * @param body sent as JSON
 * @param signal ends the request
 * @throws ApiError
 */
export type Call = <T>(
  method: string,
  path: string,
  body?: object,
  signal?: RequestOptions['signal'],
) => Promise<T>;

export function createCall({ baseUrl, fetch: send = fetch, cookie }: HttpOptions): Call {
  const base = baseUrl.replace(/\/+$/, '');

  /** All of it counts: the answer's body can stop coming, too. */
  async function ask(method: string, path: string, body?: object, signal?: AbortSignal) {
    const aborter = new AbortController();
    const abort = () => aborter.abort();
    const timer = setTimeout(abort, TIMEOUT_MS);
    signal?.addEventListener('abort', abort);
    try {
      const response = await send(base + path, {
        method,
        headers: { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
        credentials: cookie ? 'omit' : 'include',
        signal: aborter.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { response, text: await response.text() };
    } catch {
      throw new ApiError(0, 'OFFLINE', 'No connection.');
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  return async <T>(...request: Parameters<Call>) => {
    const { response, text } = await ask(...request);
    const answer = parse(text);
    if (!response.ok) throw refusal(response, answer);
    // Not ours: a hotel's network wants its guests to sign in, say.
    if (answer === undefined && text) throw new ApiError(0, 'OFFLINE', 'Another service answered.');
    return answer as T;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a refusal says; anything may be missing, whatever it was that answered. */
interface Refusal {
  code: string;
  detail: string;
  message: string;
  errors: ApiError['errors'];
  requestId: string;
}

/** `detail` is problem+json's, `message` better-auth's own format. */
function refusal({ status, statusText, headers }: ResponseLike, answer: unknown): ApiError {
  const told = (answer ?? {}) as Partial<Refusal>;
  const { code = 'UNKNOWN', detail, message, errors, requestId } = told;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiError(status, code, detail ?? message ?? statusText, {
    errors,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isNaN(retryAfter) ? undefined : retryAfter * 1000,
  });
}
