// Sends one request to the service and reads its answer, and stores the cookies of a program that is no browser.
// [contract 1, 15]
import { ApiError, type ApiErrorDetails } from './api-error.ts';

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
  // biome-ignore lint/suspicious/noExplicitAny: a ReadableStream of bytes, a type that not every program knows
  readonly body?: any;
  text(): Promise<string>;
}

/** A browser's or Node.js's `fetch` fits as it is. */
export type FetchLike = (url: string, options: RequestOptions) => Promise<ResponseLike>;

export interface HttpOptions {
  /** The address of the service, such as `https://quiz.example.org`. */
  baseUrl: string;
  fetch?: FetchLike | undefined;
  /** The first cookies, as a `cookie` header; the service's are added. Leave it out in a browser, which has its own. */
  cookie?: string | undefined;
}

/** What every method takes last. */
export interface CallOptions {
  /** Aborts the request, which then throws the signal's reason. */
  signal?: RequestOptions['signal'];
}

/** Which page of a list is read: the first one, or the one after that whose `next` the cursor is. */
export type Page<Cursor extends string> = { limit?: number | undefined } & { [Name in Cursor]?: string | undefined };

/** An operation's HTTP method, and its path below /api/v1; and the types of its method's parameters and reply. */
export type Operation<Parameters extends unknown[], Reply> = string & { types?: [Parameters, Reply] };

export type Methods<Rows> = {
  [Id in keyof Rows]: Rows[Id] extends Operation<infer Parameters, infer Reply>
    ? (...args: [...Parameters, options?: CallOptions]) => Promise<Reply>
    : never;
};

export interface CallLimits extends CallOptions {
  /** How long the request may take, ms, its answer's body included; beyond it the error is OFFLINE. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Reads an answer that is no refusal; without it, the answer is JSON. */
  read?(response: ResponseLike): Promise<unknown>;
}

/** Sends the body as JSON. @throws ApiError, or the reason of the signal */
export type Call = <T>(method: string, path: string, body?: object, limits?: CallLimits) => Promise<T>;

/** @param cookies sent with each request, and changed as the replies say */
export function createCall(
  { baseUrl, fetch: send = fetch, cookie: first }: HttpOptions,
  cookies: CookieJar = createCookieJar(first),
): Call {
  const base = baseUrl.replace(/\/+$/, '');
  return async (method, path, body, { signal, timeoutMs = TIMEOUT_MS, read = readJson, headers: given } = {}) => {
    const cookie = cookies.header();
    const headers = { ...given, ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) };
    const content = body && { body: JSON.stringify(body) };
    const aborter = new AbortController();
    const abort = () => aborter.abort();
    const timer = setTimeout(abort, timeoutMs);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    try {
      const credentials = cookie ? 'omit' : 'include';
      const response = await send(base + path, { method, headers, credentials, signal: aborter.signal, ...content });
      cookies.keep(response.headers.getSetCookie?.() ?? []);
      if (!response.ok) throw refusal(response, parse(await response.text()));
      return (await read(response)) as never;
    } catch (error) {
      if (signal?.aborted) throw signal.reason ?? error;
      if (error instanceof ApiError || !(aborter.signal.aborted || isNetworkFailure(error as Error))) throw error;
      throw new ApiError(0, 'OFFLINE', 'No connection.', { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  };
}

async function readJson(response: ResponseLike): Promise<unknown> {
  const text = await response.text();
  const answer = parse(text);
  if (answer === undefined && text) throw refusal(response, { message: 'Another service answered.' });
  return answer;
}

/** The texts of JavaScript's own TypeErrors. `fetch` reports a lost network by a TypeError too. */
const MISTAKES = /undefined|null|is not |must be|^Can(no|')t |invalid|parse/i;

/** Other programs than browsers give a code of the system. Those of Node.js for mistakes begin with ERR_. */
function isNetworkFailure({ code, name, message }: Error & { code?: unknown }): boolean {
  return code ? !/^ERR_/.test(`${code}`) : name === 'TypeError' && !MISTAKES.test(message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param answer a problem, or better-auth's format, which has a `message`; a proxy's answer may lack any field */
function refusal({ status, statusText, headers }: ResponseLike, answer: unknown): ApiError {
  const fields = (answer ?? {}) as ApiErrorDetails & { code?: string; detail?: string; message?: string };
  const { code = 'UNKNOWN', detail, message, errors, requestId } = fields;
  return new ApiError(status, code, detail ?? message ?? statusText, {
    errors,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number(headers.get('retry-after')) * 1000 || undefined,
  });
}

export type CookieJar = ReturnType<typeof createCookieJar>;

export function createCookieJar(cookie = '') {
  const values = new Map<string, string>();
  /** @param lines `Set-Cookie` headers of a reply, or pairs of a `cookie` header */
  const keep = (lines: readonly string[]) => {
    for (const line of lines) {
      const [, name, value = ''] = /^ *([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (name && /; *max-age=(0|-)/i.test(line)) values.delete(name);
      else if (name) values.set(name, value.trimEnd());
    }
  };
  keep(cookie.split(';'));
  return {
    keep,
    /** @returns the `cookie` header to send, or undefined while there are no cookies */
    header: () => [...values].map((pair) => pair.join('=')).join('; ') || undefined,
  };
}
