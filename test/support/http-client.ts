// An HTTP client that behaves like a browser: it sends its origin and stores cookies. It follows no
// redirects, so that tests can check them.

export interface HttpResponse {
  status: number;
  headers: Headers;
  location: string | null;
  /** The body: parsed if it is JSON, otherwise text; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body's shape
  body: any;
}

/** @returns the status and the code of a refusal */
export const codeOf = ({ status, body }: Pick<HttpResponse, 'status' | 'body'>) => [status, body.code];

type SentHeaders = Record<string, string>;

export interface HttpClient extends ReturnType<typeof createHttpClient> {}

/** @returns the bodies of all pages of a list @param cursor the parameter that gets a page's `next` */
export async function pagesOf(client: HttpClient, path: string, cursor: 'after' | 'before') {
  const pages: HttpResponse['body'][] = [];
  let next: string | null = '';
  while (next !== null) {
    const { status, body } = await client.get(`${path}${next && `&${cursor}=${encodeURIComponent(next)}`}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${body?.code}`);
    pages.push(body);
    next = body.next as string | null;
  }
  return pages;
}

/**
 * @param url the service's address; a `path` may also be an absolute URL
 * @param options.cookie the initial cookies
 * @param options.origin the origin of the page that sends the requests; by default the service's own
 */
export function createHttpClient(
  url: string,
  { cookie = '', origin = url }: { cookie?: string; origin?: string } = {},
) {
  const pairs = cookie.split('; ').filter(Boolean);
  const jar = new Map(pairs.map(cookieOf));
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  /** @param init its headers are added to the client's own */
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

  /** @returns a function that sends a body as JSON, a string or bytes unchanged, and undefined as no body */
  const sender =
    (method: string) =>
    (path: string, body?: unknown, headers: SentHeaders = {}): Promise<HttpResponse> => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      if (body === undefined) return request(method, path, { headers });
      return request(method, path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: isRaw ? (body as string) : JSON.stringify(body),
      });
    };

  return {
    request,
    /** @returns the Cookie header of the next request; empty without cookies */
    cookie: cookieHeader,
    get: (path: string, headers: SentHeaders = {}) => request('GET', path, { headers }),
    post: sender('POST'),
    put: sender('PUT'),
    patch: sender('PATCH'),
    delete: (path: string) => request('DELETE', path),
    /** @returns a client for another replica with a copy of the current cookies */
    at: (other: string): HttpClient => createHttpClient(other, { cookie: cookieHeader(), origin }),
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
  const [name, value] = cookieOf(pair);
  if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) jar.delete(name);
  else jar.set(name, value);
}

function cookieOf(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return text === '' ? undefined : isJson ? JSON.parse(text) : text;
}
