import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/errors.ts';
import { raisedBy } from '../../src/platform/outages/outage.ts';
import { useEdge } from '../support/edge.ts';
import { codeOf } from '../support/http-client.ts';

const SECRET = 'sk_never_say_this';

const edge = useEdge(addRoutes);

function addRoutes(on: FastifyInstance): void {
  on.post('/api/v1/lobbies', async () => ({}));
  on.post('/api/v1/lobbies/:code/join', async () => ({}));
  on.get('/api/v1/lobbies/:code', async ({ params }) => params);
  const unreachable = Object.assign(new Error(`connect ECONNREFUSED ${SECRET}`), { code: 'ECONNREFUSED' });
  const failures = {
    'v1/known': new AppError('LOBBY_FULL', 'The lobby is full (8 of 8 players).'),
    'v1/bug': new Error(`duplicate key in table users: ${SECRET}`),
    'v1/thrown-string': SECRET,
    'v1/outage': raisedBy('postgres', unreachable),
    'auth/broken': new Error(SECRET),
  };
  for (const [path, failure] of Object.entries(failures)) on.get(`/api/${path}`, () => Promise.reject(failure));
  on.get('/api/v1/hook', { onRequest: async () => Promise.reject(new Error(SECRET)) }, async () => ({}));
  const schema = { response: { 200: z.object({ ok: z.boolean() }) } };
  // The handler violates the response schema, as a defect would.
  on.get('/api/v1/wrong-answer', { schema }, async () => ({ secret: SECRET }) as never);
  on.get('/api/v1/talkative', { schema }, async () => ({ ok: true, secret: SECRET }));
}

describe('[contract 1] an error', () => {
  it('is a problem with type, title, status, code, detail and requestId, and with errors only if it is a 400', async () => {
    const { status, headers, body: problem } = await edge.call('/api/v1/known');
    expect([status, headers['content-type']]).toEqual([409, 'application/problem+json']);
    expect(problem).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      code: 'LOBBY_FULL',
      detail: 'The lobby is full (8 of 8 players).',
      requestId: headers['x-request-id'],
    });
  });

  const BUGS = ['/api/v1/bug', '/api/v1/thrown-string', '/api/v1/hook', '/api/v1/wrong-answer'];
  it.each(BUGS)('is INTERNAL_ERROR without its cause, which the log has under the same request id: %s', async (url) => {
    edge.log.clear();
    const refused = await edge.call(url);
    const body = { code: 'INTERNAL_ERROR', title: 'Internal Server Error' };
    expect(refused).toMatchObject({ status: 500, body });
    expect(refused.text).not.toMatch(/sk_|users|duplicate|expected|match|schema/);
    const failures = edge.log.lines().filter((line) => line.msg === 'request failed');
    expect(failures.map((line) => line.requestId)).toEqual([refused.body.requestId]);
  });

  it('is 503 UNAVAILABLE with Retry-After while a store is unreachable', async () => {
    const refused = await edge.call('/api/v1/outage');
    expect(codeOf(refused)).toEqual([503, 'UNAVAILABLE']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.text).not.toContain(SECRET);
  });

  it("keeps better-auth's own format under /api/auth", async () => {
    const { status, headers, body } = await edge.call('/api/auth/broken');
    expect([status, headers['content-type']]).toEqual([500, expect.stringMatching(/^application\/json/)]);
    expect(body).toEqual({ code: 'INTERNAL_ERROR', message: 'Something went wrong on our side.' });
    expect((await edge.call({ method: 'PUT', url: '/api/auth/broken' })).body.code).toBe('METHOD_NOT_ALLOWED');
  });
});

it('[contract 1] a response has only the fields that its schema names', async () => {
  expect((await edge.call('/api/v1/talkative')).text).toBe('{"ok":true}');
});

describe('[contract 1] unknown routes and wrong methods', () => {
  it.each(['/nope', '/api/v1/nope', '//', '/api/v1/lobbies/a/b/c'])('is 404 ROUTE_NOT_FOUND for %s', async (url) => {
    const refused = await edge.call(url);
    expect(codeOf(refused)).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(refused.headers['x-request-id']).toBe(refused.body.requestId);
  });

  it.each([
    ['GET', '/api/v1/lobbies', 'OPTIONS, POST'],
    ['DELETE', '/api/v1/lobbies/7KQ2ZD/join', 'OPTIONS, POST'],
    ['PUT', '/api/v1/lobbies/7KQ2ZD?x=1', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/v1/%6Cobbies/7KQ2ZD', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/api/v1/known', 'GET, HEAD, OPTIONS'],
  ] as const)('is 405 with Allow for %s %s', async (method, url, allow) => {
    const body = { code: 'METHOD_NOT_ALLOWED' };
    expect(await edge.call({ method: method as 'GET', url })).toMatchObject({ status: 405, body, headers: { allow } });
  });

  it.each([
    ['/api/v1/lobbies/7KQ2ZD', { status: 200, text: '' }],
    ['/api/v1/lobbies', { status: 405, text: '', headers: { allow: 'OPTIONS, POST' } }],
  ])('HEAD %s is answered like GET, without a body', async (url, answer) => {
    expect(await edge.call({ method: 'HEAD', url })).toMatchObject(answer);
  });

  it('OPTIONS names the allowed methods, also without CORS', async () => {
    const url = '/api/v1/lobbies/7KQ2ZD';
    for (const headers of [{}, { origin: '', 'access-control-request-method': 'PUT' }]) {
      const allowed = { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } };
      expect(await edge.call({ method: 'OPTIONS', url, headers })).toMatchObject(allowed);
    }
    expect((await edge.call({ method: 'OPTIONS', url: '/nope' })).body.code).toBe('ROUTE_NOT_FOUND');
  });

  const MALFORMED = ['/api/v1/lobbies/%zz', '/%', '/api/v1/lobbies/%E0%A4%A/join', '/nope/%ff?x=1'];
  it.each(MALFORMED)('is 400 for an invalid percent-encoding (%s)', async (url) => {
    const refused = await edge.call(url);
    const errors = [{ path: 'url', message: 'must be validly percent-encoded' }];
    const headers = { 'x-content-type-options': 'nosniff' };
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors }, headers });
    expect(refused.text).not.toContain('%');
  });
});

describe('[contract 10] x-request-id', () => {
  it.each(['abc', 'A.b_c-9', 'x'.repeat(64)])('is taken from the request: %s', async (id) => {
    const { headers } = await edge.call({ url: '/nope', headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toBe(id);
  });

  it.each(['', 'a b', 'x'.repeat(65), '<script>', 'a\tb'])('is generated instead of "%s"', async (id) => {
    const { headers, body: problem } = await edge.call({ url: '/nope', headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toMatch(/^req-[0-9a-f-]{36}$/);
    expect(problem.requestId).toBe(headers['x-request-id']);
  });
});

describe('a malformed request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'VALIDATION_FAILED'],
    ['headers over the limit', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('is answered with a problem and a request id: %s', async (_kind, bytes, status, code) => {
    const [head = '', body = ''] = (await edge.raw(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    const problem = JSON.parse(body);
    expect(problem).toMatchObject({ status, code });
    expect(head).toContain(`x-request-id: ${problem.requestId}`);
  });

  it('is 408 if it takes too long to arrive', async () => {
    edge.app.server.once('connection', (socket) => {
      const timeout = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      edge.app.server.emit('clientError', timeout, socket);
    });
    const answer = await edge.raw('POST /api/v1/lobbies HTTP/1.1\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });
});
