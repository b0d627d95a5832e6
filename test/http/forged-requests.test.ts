// Foreign pages send requests in their visitor's name, and ambiguous requests try to be read in two ways, by
// a proxy and by this service.
import { beforeEach, describe, expect, it } from 'vitest';
import { sendBytes } from '../support/edge.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';

const FRIEND = 'https://play.example';
const FOREIGN = [
  'https://evil.example',
  'null',
  '',
  'https://play.example.evil.example',
  'https://play.example:444',
  'http://play.example',
  'https://PLAY.example',
  'https://play.example/',
  `${FRIEND}, https://evil.example`,
];

let user: TestUser;

const { service } = useService({ CORS_ORIGIN: FRIEND });
beforeEach(async () => {
  user = await createSignedInUser(service.services);
});

/** The signed-in browser sends the request from a page of `origin`. */
async function ask(method: string, url: string, origin?: string, cookie = user.cookie) {
  const headers = { ...(origin === undefined ? {} : { origin }), ...(cookie ? { cookie } : {}) };
  const answer = await service.app.inject({ method: method as 'GET', url, headers });
  return { headers: answer.headers, status: answer.statusCode, code: answer.payload && answer.json().code };
}

describe('[contract 17] a request from a foreign origin under /api/v1', () => {
  it.each(FOREIGN)('is 403 FORBIDDEN_ORIGIN, and nothing happens: %s', async (origin) => {
    for (const url of ['/api/v1/lobbies', '/api/v1/lobbies/ZZZZZZ/join', '/%61pi/v1/lobbies'])
      expect(await ask('POST', url, origin)).toMatchObject({ status: 403, code: 'FORBIDDEN_ORIGIN' });
    expect(await service.services.db.lobby.count({ where: { hostId: user.id } })).toBe(0);
  });

  it('is refused before authentication, and is not counted', async () => {
    for (const cookie of [user.cookie, ''])
      expect((await ask('POST', '/api/v1/lobbies', 'null', cookie)).code).toBe('FORBIDDEN_ORIGIN');
    expect(await service.services.redis.exists(`limit:lobby:${user.id}`)).toBe(0);
  });

  it('is 404 and 405 as from any other origin', async () => {
    expect((await ask('POST', '/api/v1/nope', 'null')).status).toBe(404);
    expect((await ask('DELETE', '/api/v1/lobbies', 'null')).status).toBe(405);
    expect((await ask('PUT', '/api/v1/lobbies/7KQ2ZD', 'null')).status).toBe(405);
  });

  it('that changes nothing is answered, without the header that would let the page read it', async () => {
    const { status, headers } = await ask('GET', '/api/v1/vocabulary', 'https://evil.example');
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

it('[contract 17] requests from the service’s own origin, from CORS_ORIGIN, and without an origin pass', async () => {
  const { publicUrl } = service.config.auth;
  for (const origin of [publicUrl, FRIEND, undefined])
    expect((await ask('POST', '/api/v1/lobbies', origin)).status).toBe(201);
});

describe('[contract 17] every reply under /api/v1 and /api/auth has cache-control: no-store', () => {
  const NO_STORE = { 'cache-control': 'no-store' };

  it.each([
    ['a success', 'GET', '/api/v1/lists', 200],
    ['a refused origin', 'POST', '/api/v1/lobbies', 403],
    ['an unknown address, percent-encoded', 'GET', '/%61pi/%761/nope?x', 404],
    ['a malformed address', 'GET', '/api/v1/%zz', 400],
    ['a session', 'GET', '/api/auth/get-session', 200],
    ['a wrong method of an account operation', 'DELETE', '/api/auth/sign-out', 405],
    ['a link that redirects', 'GET', '/api/auth/verify-email?token=x&callbackURL=/verified', 302],
  ])('%s: %s %s', async (kind, method, url, expected) => {
    const origin = kind === 'a refused origin' ? 'null' : undefined;
    expect(await ask(method, url, origin)).toMatchObject({ status: expected, headers: NO_STORE });
  });

  it('also if it is 401, 429 or a preflight’s', async () => {
    const unknown = await ask('POST', '/api/v1/lobbies', undefined, '');
    expect(unknown).toMatchObject({ status: 401, headers: NO_STORE });
    await service.services.redis.set(`limit:lobby:${user.id}`, 10_000_000, 'PX', 60_000);
    expect(await ask('POST', '/api/v1/lobbies')).toMatchObject({ status: 429, headers: NO_STORE });
    const headers = { origin: FRIEND, 'access-control-request-method': 'PUT' };
    const preflight = await service.app.inject({ method: 'OPTIONS', url: '/api/v1/lobbies', headers });
    expect(preflight).toMatchObject({ headers: NO_STORE });
  });

  it('but the public description may be cached', async () => {
    // The cache asks by the ETag each time.
    const { headers } = await ask('GET', '/api/openapi.json');
    expect([headers['cache-control'], headers.etag]).toEqual(['no-cache', expect.any(String)]);
  });
});

const send = (lines: string[], body = '') =>
  sendBytes(service.config.port, [...lines, 'Connection: close', '', body].join('\r\n'));
const POST = 'POST /api/v1/lobbies HTTP/1.1';
const HOST = 'Host: 127.0.0.1';
const CHUNKED = 'Transfer-Encoding: chunked';
const JSON_TYPE = 'Content-Type: application/json';
const INNER = 'GET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n';
it.each([
  ['two hosts', ['GET /api/health/live HTTP/1.1', HOST, 'Host: evil.example'], ''],
  ['no host', ['GET /api/health/live HTTP/1.1'], ''],
  ['chunks and a length', [POST, HOST, 'Content-Length: 4', CHUNKED], `0\r\n\r\n${INNER}`],
  ['a length and chunks', [POST, HOST, CHUNKED, 'Content-Length: 4'], `0\r\n\r\n${INNER}`],
  ['two lengths', [POST, HOST, 'Content-Length: 0', `Content-Length: ${INNER.length}`], INNER],
  ['a length with a sign', [POST, HOST, 'Content-Length: +0'], INNER],
  ['chunked, then something else', [POST, HOST, 'Transfer-Encoding: chunked, identity'], `0\r\n\r\n${INNER}`],
  ['a space before the colon', [POST, HOST, 'Transfer-Encoding : chunked'], `0\r\n\r\n${INNER}`],
  ['a folded header', [POST, HOST, 'X: y', ' Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
  ['a chunk shorter than it says', [POST, HOST, JSON_TYPE, CHUNKED], `1\r\n{}\r\n0\r\n\r\n${INNER}`],
  ['a chunk of too many digits', [POST, HOST, JSON_TYPE, CHUNKED], `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${INNER}`],
  ['a bare line feed in a header', [POST, HOST, 'X: y\nTransfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
])('ambiguous requests are refused, and nothing in them is a second request: %s', async (_kind, lines, body) => {
  const answer = await send(lines, body);
  // A request with valid headers is 401 before its body is read.
  expect(answer).toMatch(/^HTTP\/1\.1 40[01] /);
  expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(answer).not.toContain('"status":"ok"');
});
