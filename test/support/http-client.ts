// A browser's part in a conversation over HTTP: it sends its origin, keeps its cookies, and follows
// no redirect by itself.

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, otherwise text; undefined when empty. */
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the test is about
  body: any;
}

export interface HttpClient {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** @param body sent as JSON; a string or bytes as they are; nothing at all when left out */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** @param init headers are added to the client's own */
  request(method: string, path: string, init?: RequestInit): Promise<Answer>;
  /** What it would send as its Cookie header; empty without cookies. */
  cookie(): string;
  /** Another client of the same cookies, of this moment, for another replica. */
  at(url: string): HttpClient;
}

/**
 * @param url the service's address; a `path` may also be a whole address
 * @param options.cookie cookies to begin with
 * @param options.origin the page that it sends requests from; by default one of the service itself
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

  async function request(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers({ origin });
    if (jar.size > 0) headers.set('cookie', cookieHeader());
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    const response = await fetch(new URL(path, url), {
      redirect: 'manual',
      ...init,
      method,
      headers,
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return { status: response.status, headers: response.headers, body: await bodyOf(response) };
  }

  return {
    request,
    cookie: cookieHeader,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post(path, body, headers = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      if (body === undefined) return request('POST', path, { headers });
      return request('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: isRaw ? (body as string) : JSON.stringify(body),
      });
    },
    at: (other) => createHttpClient(other, { cookie: cookieHeader(), origin }),
  };
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
