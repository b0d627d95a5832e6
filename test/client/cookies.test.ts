// The client library stores cookies where no browser does. [contract 15]
import { afterEach, expect, it, vi } from 'vitest';
import type { RequestOptions } from '../../src/client/http.ts';
import { createClient } from '../../src/client/index.ts';

afterEach(() => vi.unstubAllGlobals());

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

/** Sends requests one after another. */
async function ask(service: ReturnType<typeof createService>, count: number, cookie?: string) {
  const client = createClient({ baseUrl: 'http://service', fetch: service.fetch, cookie });
  for (let request = 0; request < count; request++) await client.getLists();
  return client;
}

it('a cookie that a reply has set is sent with every later request', async () => {
  const service = createService(['session=a%2Bb.c=; Path=/; HttpOnly', 'trusted=1; Path=/']);
  await ask(service, 3);
  expect(service.sent()).toEqual([undefined, 'session=a%2Bb.c=; trusted=1', 'session=a%2Bb.c=; trusted=1']);
});

it('a renewed session cookie replaces the one that the program passed', async () => {
  const service = createService(['session=new; Max-Age=604800']);
  await ask(service, 2, 'session=old; other=kept');
  expect(service.sent()).toEqual(['session=old; other=kept', 'session=new; other=kept']);
});

it('a cookie that the service removes is not sent again', async () => {
  const service = createService(['session=a; Path=/'], ['session=; Max-Age=0; Path=/']);
  await ask(service, 3);
  expect(service.sent()).toEqual([undefined, 'session=a', undefined]);
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
  vi.stubGlobal('WebSocket', undefined);
  const { fetch, requests } = createService();
  const lobby = createClient({ baseUrl: 'http://service', fetch }).lobby('ABC123');
  expect([lobby.transport, requests.length]).toEqual(['sse', 1]);
  lobby.close();
});
