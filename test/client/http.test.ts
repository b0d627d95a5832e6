// The library sends requests: it tells a lost network from other mistakes, an answer can be repeated, and cookies are stored
// where no browser does. [contract 15, 23]
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApiError } from '../../src/client/api-error.ts';
import { createCall, type FetchLike, type RequestOptions } from '../../src/client/http.ts';
import { createClient } from '../../src/client/index.ts';

const callOf = (fetch: FetchLike) => createCall({ baseUrl: 'http://service', fetch });
const get = (fetch: FetchLike) => callOf(fetch)('GET', '/');
const never: FetchLike = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    const fail = () => reject(new DOMException('aborted', 'AbortError'));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail);
  });

describe('a request', () => {
  it('whose signal is aborted before, or while it is under way, throws the reason of the signal', async () => {
    const later = new AbortController();
    const requests = [AbortSignal.abort('why'), later.signal].map((signal) =>
      callOf(never)('GET', '/', undefined, { signal, timeoutMs: 60_000 }),
    );
    later.abort('why');
    for (const request of requests) await expect(request).rejects.toBe('why');
  });

  it('is OFFLINE, with the cause, when it is not answered in time', async () => {
    const request = callOf(never)('GET', '/', undefined, { timeoutMs: 1 });
    await expect(request).rejects.toMatchObject({ code: 'OFFLINE', status: 0, cause: { name: 'AbortError' } });
  });

  it.each([
    ['Node.js', Object.assign(new TypeError('fetch failed'), { cause: new Error('ECONNREFUSED') })],
    ['Chrome', new TypeError('Failed to fetch')],
    ['Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
    ['Safari', new TypeError('Load failed')],
    ['Deno', new TypeError('error sending request for url (http://service/): client error (Connect)')],
    ['Bun', Object.assign(new Error('Unable to connect. Is the computer able …?'), { code: 'ConnectionRefused' })],
  ])('is OFFLINE by the error of a lost network in %s', async (_, cause) => {
    await expect(get(() => Promise.reject(cause))).rejects.toMatchObject({ code: 'OFFLINE', status: 0, cause });
  });

  it.each([
    ['a body that refers to itself', (circular: object) => callOf(never)('POST', '/', circular), 'TypeError'],
    ['an invalid address', () => createCall({ baseUrl: 'no address' })('GET', '/'), 'TypeError'],
    ['an invalid cookie', () => createCall({ baseUrl: 'http://a', cookie: 'a=b\nc' })('GET', '/'), 'TypeError'],
    [
      'a mistake in the program’s own fetch',
      () => get(async () => (undefined as never as Response).clone()),
      'TypeError',
    ],
    ['another mistake there', () => get(() => Promise.reject(new RangeError('no'))), 'RangeError'],
    ['a proxy’s page instead of the service’s answer', () => get(async () => new Response('<p>')), 'ApiError'],
  ])('is not OFFLINE by %s', async (_, act, name) => {
    const circular: { self?: object } = {};
    circular.self = circular;
    const error = await act(circular).catch((thrown: unknown) => thrown as ApiError);
    expect(error).toMatchObject({ name });
    expect(error).not.toMatchObject({ code: 'OFFLINE' });
  });
});

it('every method takes a signal last', async () => {
  const client = createClient({ baseUrl: 'http://service', fetch: never });
  const signal = AbortSignal.abort('why');
  const requests = [
    client.getVocabulary({ signal }),
    client.getList('id', { signal }),
    client.listGames({ limit: 1 }, { signal }),
    client.createLobby(undefined, { signal }),
    client.updateAssignment('CODE', { title: 'A' }, { signal }),
    client.startGame({}, { signal }),
    client.answerQuestion({ sessionId: 'a', questionId: 'b', optionId: 0 }, { signal }),
  ];
  for (const request of requests) await expect(request).rejects.toBe('why');
});

it('a query has no field that is undefined', async () => {
  const addresses: string[] = [];
  const fetch: FetchLike = async (address) => {
    addresses.push(address);
    return new Response('{}');
  };
  await createClient({ baseUrl: 'http://service', fetch }).listGames({ limit: 5, before: undefined });
  expect(addresses).toEqual(['http://service/api/v1/games?limit=5']);
});

it('an answer keeps its key until a reply comes, so that the program can send it again, and has another one after it', async () => {
  /** A status, or 0 for a lost connection, for each request. */
  const replies = [0, 503, 200, 409];
  const keys: (string | undefined)[] = [];
  const client = createClient({
    baseUrl: 'http://service',
    async fetch(_url: string, { headers }: RequestOptions) {
      const status = replies[keys.length] as number;
      keys.push(headers['idempotency-key']);
      if (status === 0) throw new TypeError('fetch failed');
      return new Response(JSON.stringify({ code: 'QUESTION_ALREADY_ANSWERED' }), { status });
    },
  });
  const answer = () => client.answerQuestion({ sessionId: 'a', questionId: 'b', optionId: 0 });
  await expect(answer()).rejects.toMatchObject({ code: 'OFFLINE' });
  await expect(answer()).rejects.toMatchObject({ status: 503 });
  await answer();
  await expect(answer()).rejects.toMatchObject({ code: 'QUESTION_ALREADY_ANSWERED' });
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{8,64}$/), keys[0], keys[0], expect.any(String)]);
  expect(keys[3]).not.toBe(keys[0]);
});

/** Starts a service that sets cookies. @param setCookies the cookies that each reply sets, by request */
function createService(...setCookies: string[][]) {
  const requests: RequestOptions[] = [];
  const fetch = async (_url: string, options: RequestOptions) => {
    const headers = new Headers();
    for (const line of setCookies[requests.length] ?? []) headers.append('set-cookie', line);
    requests.push(options);
    return new Response('{}', { headers });
  };
  return { fetch, requests, sent: () => requests.map(({ headers }) => headers.cookie) };
}

async function ask(service: ReturnType<typeof createService>, count: number, cookie?: string) {
  const client = createClient({ baseUrl: 'http://service', fetch: service.fetch, cookie });
  for (let request = 0; request < count; request++) await client.getLists();
  return client;
}

const BOTH = 'session=a%2Bb.c=; trusted=1';
const HTTP_ONLY = 'session=a%2Bb.c=; Path=/; HttpOnly';
it.each([
  [
    'that a reply has set is sent with every later request',
    [[HTTP_ONLY, 'trusted=1; Path=/']],
    [undefined, BOTH, BOTH],
  ],
  [
    'of a renewed session replaces the one that the program passed',
    [['session=new; Max-Age=604800']],
    ['session=old; other=kept', 'session=new; other=kept'],
  ],
  [
    'that the service removes is not sent again',
    [['session=a; Path=/'], ['session=; Max-Age=0; Path=/']],
    [undefined, 'session=a', undefined],
  ],
])('a cookie %s', async (_what, setCookies, sent) => {
  const service = createService(...setCookies);
  await ask(service, sent.length, sent[0]);
  expect(service.sent()).toEqual(sent);
});

it('a socket is opened with the current cookies', async () => {
  const opened: unknown[][] = [];
  class Socket {
    constructor(...options: unknown[]) {
      opened.push(options);
    }
    send() {}
    close() {}
  }
  const { fetch } = createService(['session=a; Path=/']);
  const client = createClient({ baseUrl: 'http://service', fetch, WebSocket: Socket });
  client.lobby('ABC123').close();
  await client.getLists();
  client.lobby('ABC123').close();
  expect(opened).toEqual([['ws://service/ws'], ['ws://service/ws', { headers: { cookie: 'session=a' } }]]);
});

it('in a browser, which hides cookies from scripts, the library leaves them to the browser', async () => {
  const requests: RequestOptions[] = [];
  const client = createClient({
    baseUrl: 'http://service',
    async fetch(_url, options) {
      requests.push(options);
      return { ok: true, status: 200, statusText: '', headers: { get: () => null }, text: async () => '{}' };
    },
  });
  await client.getLists();
  await client.getLists();
  for (const { headers, credentials } of requests) expect([headers, credentials]).toEqual([{}, 'include']);
});

it('the cookies as they stand can be read, for a program that stores them', async () => {
  const client = await ask(createService(['session=new', 'other=1']), 1, 'session=old');
  expect(client.cookie).toBe('session=new; other=1');
});

it('without a WebSocket class, a lobby is a stream [contract 24]', () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('WebSocket', undefined);
  const { fetch, requests } = createService();
  const lobby = createClient({ baseUrl: 'http://service', fetch }).lobby('ABC123');
  expect([lobby.transport, requests.length]).toEqual(['sse', 1]);
  lobby.close();
});
