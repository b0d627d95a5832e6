// Sends one request to the service and reads its answer, and stores the cookies of a program that is no browser.
// [contract 1, 15]
import { ApiError } from './api-error.ts';

/** How long a request may take, ms, its answer's body included, unless its call has another limit. */
const TIMEOUT_MS = 15_000;

/** The options that the library passes to `fetch`. */
export interface RequestOptions {
  method: string;
  headers: Record<string, string>;
  credentials: 'include' | 'omit';
  body?: string;
  // biome-ignore lint/suspicious/noExplicitAny: an AbortSignal, a type that not every program knows
  signal: any;
}

/** The part of a response that the library reads. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null; getSetCookie?(): string[] };
  text(): Promise<string>;
}

/** A browser's or Node.js's `fetch` fits as it is. */
export type FetchLike = (url: string, options: RequestOptions) => Promise<ResponseLike>;

export interface HttpOptions {
  /** The address of the service, such as `https://quiz.example.org`. */
  baseUrl: string;
  fetch?: FetchLike | undefined;
  /**
   * The first cookies, as a `cookie` header has them; the client adds those that the service sets. Leave it
   * out in a browser, which sends and stores its own.
   */
  cookie?: string | undefined;
}

export interface CallLimits {
  /** Aborts the request. */
  signal?: RequestOptions['signal'];
  /** How long the request may take, ms, its answer's body included; beyond it the error is OFFLINE. */
  timeoutMs?: number;
}

/**
 * @param body sent as JSON
 * @throws ApiError
 */
export type Call = <T>(method: string, path: string, body?: object, limits?: CallLimits) => Promise<T>;

/** @param cookies sent with each request, and changed as the replies say */
export function createCall(
  { baseUrl, fetch: send = fetch, cookie }: HttpOptions,
  cookies: CookieJar = createCookieJar(cookie),
): Call {
  const base = baseUrl.replace(/\/+$/, '');

  async function ask(method: string, path: string, body?: object, { signal, timeoutMs = TIMEOUT_MS }: CallLimits = {}) {
    const aborter = new AbortController();
    const abort = () => aborter.abort();
    const timer = setTimeout(abort, timeoutMs);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    const cookie = cookies.header();
    try {
      const response = await send(base + path, {
        method,
        headers: { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
        credentials: cookie ? 'omit' : 'include',
        signal: aborter.signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      cookies.keep(response.headers.getSetCookie?.() ?? []);
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
    // A proxy has answered, such as the sign-in page of a public network.
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

/** The fields of a refusal; any may be missing, since a proxy may have answered. */
interface Refusal {
  code: string;
  detail: string;
  message: string;
  errors: ApiError['errors'];
  requestId: string;
}

/** `detail` is a field of problem+json, `message` is one of better-auth's format. */
function refusal({ status, statusText, headers }: ResponseLike, answer: unknown): ApiError {
  const fields = (answer ?? {}) as Partial<Refusal>;
  const { code = 'UNKNOWN', detail, message, errors, requestId } = fields;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiError(status, code, detail ?? message ?? statusText, {
    errors,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isNaN(retryAfter) ? undefined : retryAfter * 1000,
  });
}

export interface CookieJar {
  /** @returns the `cookie` header to send, or undefined while there are no cookies */
  header(): string | undefined;
  /** @param lines the `Set-Cookie` headers of a reply */
  keep(lines: readonly string[]): void;
}

/** @param cookie the first cookies, as a `cookie` header: `name=value; other=value` */
export function createCookieJar(cookie = ''): CookieJar {
  const values = new Map<string, string>();
  const set = (pair: string) => {
    const at = pair.indexOf('=');
    if (at > 0) values.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  };
  for (const pair of cookie.split(';')) set(pair);
  return {
    header: () => [...values].map((pair) => pair.join('=')).join('; ') || undefined,
    keep(lines) {
      for (const line of lines) {
        const [pair = '', ...attributes] = line.split(';');
        set(pair);
        if (attributes.some(isExpired)) values.delete(pair.slice(0, pair.indexOf('=')).trim());
      }
    },
  };
}

/** @returns whether this attribute says that the cookie is expired */
function isExpired(attribute: string): boolean {
  const [name, value = ''] = attribute.trim().split('=');
  switch (name?.toLowerCase()) {
    case 'max-age':
      return Number(value) <= 0;
    case 'expires':
      return Date.parse(value) <= Date.now();
    default:
      return false;
  }
}
