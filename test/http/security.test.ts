import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { EdgeOptions } from '../../src/http/edge/edge.ts';
import { edgeOfTest } from '../support/edge.ts';

const OWN = 'http://localhost:3000';
const FRIEND = 'https://play.example';
const STRANGER = 'https://evil.example';

const edgeFor = (overrides: Partial<EdgeOptions> = {}) => edgeOfTest(addRoutes, overrides);

function addRoutes(app: FastifyInstance): void {
  app.get('/open', async ({ ip, protocol }) => ({ ip, protocol }));
  app.get('/docs', async (_request, reply) => reply.type('text/html').send('<p>'));
  const guard = () => Promise.reject(new AppError('UNAUTHENTICATED', 'Sign in first.'));
  app.get('/stream', async (_request, reply) => reply.send(Readable.from(['words'])));
  app.get('/own', async (_request, reply) => reply.header('referrer-policy', 'no-referrer').send());
  app.post('/guarded', { onRequest: guard }, async () => ({}));
}

describe('[contract 17] every answer carries the security headers', () => {
  const PATHS = ['/open', '/docs', '/guarded', '/nope', '/%zz', '/stream', '/own'];
  it.each(PATHS)('has each header once in the response to %s on a connection', async (url) => {
    const edge = await edgeFor();
    const { headers } = await edge.call(url);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': expect.any(String),
      'x-request-id': expect.any(String),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    const answer = await edge.raw(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const lines = answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n').slice(1);
    const sent = lines.map((line) => line.split(/: (.*)/s, 2));
    const names = sent.map(([name]) => name?.toLowerCase());
    expect(names.toSorted()).toEqual([...new Set([...Object.keys(headers), ...names])].sort());
    const own = ['date', 'connection', 'x-request-id', 'content-length', 'transfer-encoding'];
    for (const [name = '', value] of sent)
      if (!own.includes(name.toLowerCase())) expect(value).toBe(headers[name.toLowerCase()]);
    expect(headers['referrer-policy']).toBe(url === '/own' ? 'no-referrer' : 'same-origin');
  });

  it.each([
    ['a request that is not HTTP', 'NONSENSE\r\n\r\n'],
    ['a refused upgrade', 'GET /nope HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ])('also answers %s', async (_kind, request) => {
    const edge = await edgeFor();
    const { headers } = await edge.call('/open');
    const answer = await edge.raw(request);
    for (const name of ['x-content-type-options', 'content-security-policy', 'x-frame-options'])
      expect(answer.toLowerCase()).toContain(`\r\n${name}: ${headers[name]}\r\n`.toLowerCase());
  });

  it('the content security policy names no other host and no inline scripts', async () => {
    const edge = await edgeFor();
    const policy = String((await edge.call('/docs')).headers['content-security-policy']);
    expect(policy.match(/[a-z]+:\/\/[^\s;]+/g)).toEqual(['ws://localhost:3000']);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|upgrade-insecure-requests/);
  });

  it('browsers are told to use HTTPS only if the service does', async () => {
    const plain = await edgeFor();
    expect((await plain.call('/open')).headers).not.toHaveProperty('strict-transport-security');
    const tls = await edgeFor({ publicUrl: 'https://quiz.example' });
    const { headers } = await tls.call('/open');
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    expect(headers['content-security-policy']).toContain('wss://quiz.example');
  });
});

describe('[contract 8] CORS_ORIGIN', () => {
  const ask = async (origin: string | undefined, url = '/open') => {
    const edge = await edgeFor({ corsOrigins: [OWN, FRIEND] });
    return edge.call({ url, headers: origin ? { origin } : {} });
  };

  it.each([OWN, FRIEND])('lets %s read responses, with credentials', async (origin) => {
    expect((await ask(origin)).headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    });
  });

  const OTHERS = [STRANGER, 'null', `${FRIEND}.evil.example`, 'https://play.example:444', undefined];
  it.each(OTHERS)('does not let %s read responses', async (origin) => {
    const { headers } = await ask(origin);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers.vary).toContain('Origin');
  });

  it('exposes refusals and their headers to these origins too', async () => {
    const limits = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';
    const headers = {
      'access-control-allow-origin': FRIEND,
      'access-control-expose-headers': `x-request-id, etag, location, ${limits}`,
    };
    expect(await ask(FRIEND, '/nope')).toMatchObject({ status: 404, headers });
  });

  it('answers a preflight before authentication', async () => {
    const SENT = 'content-type,idempotency-key,last-event-id';
    const edge = await edgeFor({ corsOrigins: [FRIEND] });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': SENT };
    const preflight = (origin: string) =>
      edge.call({ method: 'OPTIONS', url: '/guarded', headers: { origin, ...asked } });
    const headers = {
      'access-control-allow-origin': FRIEND,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': SENT,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '3600',
      'x-request-id': expect.any(String),
    };
    expect(await preflight(FRIEND)).toMatchObject({ status: 204, text: '', headers });
    expect((await preflight(STRANGER)).headers).not.toHaveProperty('access-control-allow-origin');
  });
});

const CLIENT = '203.0.113.9';
it.each([
  ['trusts no peer by default', [], '127.0.0.1', CLIENT, '127.0.0.1'],
  ['trusts an address', ['10.0.0.1'], '10.0.0.1', CLIENT, CLIENT],
  ['trusts a CIDR', ['10.0.0.0/8'], '10.200.3.4', CLIENT, CLIENT],
  ['knows the name loopback', ['loopback'], '127.0.0.1', CLIENT, CLIENT],
  ['trusts IPv6 proxies', ['fd00::/8'], 'fd00::1', '2001:db8::1', '2001:db8::1'],
  ['trusts a mapped IPv4 peer', ['10.0.0.0/8'], '::ffff:10.0.0.1', CLIENT, CLIENT],
  ['trusts several proxies in a row', ['10.0.0.1', '172.16.0.0/12'], '10.0.0.1', `${CLIENT}, 172.16.5.5`, CLIENT],
  ['does not trust what the client sent to the first proxy', ['10.0.0.1'], '10.0.0.1', `1.2.3.4, ${CLIENT}`, CLIENT],
  ['does not trust what an untrusted hop forwards', ['10.0.0.1'], '10.0.0.1', `1.2.3.4, 8.8.8.8, ${CLIENT}`, CLIENT],
])('[contract 8] TRUST_PROXY %s', async (_title, trustProxy, remoteAddress, forwarded, ip) => {
  const edge = await edgeFor({ trustProxy });
  const headers = { 'x-forwarded-for': forwarded };
  expect(await edge.call({ url: '/open', remoteAddress, headers })).toMatchObject({ body: { ip } });
});
