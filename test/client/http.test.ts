// The library sends requests: it tells a lost network from other mistakes, and an answer can be repeated. [contract 15, 23]
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../src/client/api-error.ts';
import { createCall, type FetchLike, type RequestOptions } from '../../src/client/http.ts';
import { createClient } from '../../src/client/index.ts';

const callOf = (fetch: FetchLike) => createCall({ baseUrl: 'http://service', fetch });
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
    [
      'Bun',
      Object.assign(new Error('Unable to connect. Is the computer able to access the url?'), {
        code: 'ConnectionRefused',
      }),
    ],
  ])('is OFFLINE by the error of a lost network in %s', async (_, cause) => {
    const request = callOf(() => Promise.reject(cause))('GET', '/');
    await expect(request).rejects.toMatchObject({ code: 'OFFLINE', status: 0, cause });
  });

  it.each([
    ['a body that refers to itself', (circular: object) => callOf(never)('POST', '/', circular), 'TypeError'],
    ['an invalid address', () => createCall({ baseUrl: 'no address' })('GET', '/'), 'TypeError'],
    ['an invalid cookie', () => createCall({ baseUrl: 'http://a', cookie: 'a=b\nc' })('GET', '/'), 'TypeError'],
    [
      'a mistake in the program’s own fetch',
      () => callOf(async () => (undefined as never as Response).clone())('GET', '/'),
      'TypeError',
    ],
    ['another mistake there', () => callOf(async () => Promise.reject(new RangeError('no')))('GET', '/'), 'RangeError'],
    [
      'a proxy’s page instead of the service’s answer',
      () => callOf(async () => new Response('<p>'))('GET', '/'),
      'ApiError',
    ],
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
