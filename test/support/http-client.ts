// An HTTP client that behaves like a browser: it sends its origin and stores cookies. It follows no
// redirects, so that tests can check them.

export interface HttpResponse {
  status: number;
  headers: Headers;
  /** The address of a redirect, or null. */
  location: string | null;
  /** The body: parsed if it is JSON, otherwise text; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body's shape
  body: any;
}

/** @returns the status and the code of a refusal */
export const codeOf = ({ status, body }: Pick<HttpResponse, 'status' | 'body'>) => [status, body.code];

export interface HttpClient {
  get(path: string, headers?: Record<string, string>): Promise<HttpResponse>;
  /** @param body is sent as JSON; a string or bytes are sent unchanged; no body if left out */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpResponse>;
  put(path: string, body?: unknown): Promise<HttpResponse>;
  patch(path: string, body: unknown): Promise<HttpResponse>;
  delete(path: string): Promise<HttpResponse>;
  /** @param init its headers are added to the client's own */
  request(method: string, path: string, init?: RequestInit): Promise<HttpResponse>;
  /** @returns the Cookie header of the next request; empty without cookies */
  cookie(): string;
  /** @returns a client for another replica with a copy of the current cookies */
  at(url: string): HttpClient;
}

/**
 * @param url the service's address; a `path` may also be an absolute URL
 * @param options.cookie the initial cookies
 * @param options.origin the origin of the page that sends the requests; by default the service's own
 */
export function createHttpClient(
  url: string,
  { cookie = '', origin = url }: { cookie?: string; origin?: string } = {},
): HttpClient {
  const jar = new Map(
    cookie
      .split('; ')
      .filter(Boolean)
      .map((pair) => splitAt(pair, '=')),
  );
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function request(method: string, path: string, init: RequestInit = {}): Promise<HttpResponse> {
    const headers = new Headers({ origin });
    if (jar.size > 0) headers.set('cookie', cookieHeader());
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, method, headers });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    if (response.status === 429) requireLimit(response);
    const { status, headers: own } = response;
    return { status, headers: own, location: own.get('location'), body: await bodyOf(response) };
  }

  function send(method: string, path: string, body?: unknown, headers = {}): Promise<HttpResponse> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    if (body === undefined) return request(method, path, { headers });
    return request(method, path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: isRaw ? (body as string) : JSON.stringify(body),
    });
  }

  return {
    request,
    cookie: cookieHeader,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
    at: (other) => createHttpClient(other, { cookie: cookieHeader(), origin }),
  };
}

/** Every refusal of a limiter in every test says which limit is exceeded, and for how long. [contract 1] */
function requireLimit({ url, headers }: Response): void {
  const names = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  const missing = names.filter((name) => !headers.has(name));
  if (missing.length > 0) throw new Error(`the 429 of ${url} lacks ${missing.join()}`);
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const [name, value] = splitAt(pair, '=');
  if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) jar.delete(name);
  else jar.set(name, value);
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return text === '' ? undefined : isJson ? JSON.parse(text) : text;
}
