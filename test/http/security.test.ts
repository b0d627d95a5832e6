import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { EdgeOptions } from '../../src/http/edge/edge.ts';
import { startEdge, type TestEdge } from '../support/edge.ts';

const OWN = 'http://localhost:3000';
const FRIEND = 'https://play.example';
const STRANGER = 'https://evil.example';

async function edgeFor(overrides: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  const edge = await startEdge(addRoutes, overrides);
  onTestFinished(() => edge.stop());
  return edge;
}

function addRoutes(app: FastifyInstance): void {
  app.get('/open', async ({ ip, protocol }) => ({ ip, protocol }));
  app.get('/docs', async (_request, reply) => reply.type('text/html').send('<p>'));
  const guard = () => Promise.reject(new AppError('UNAUTHENTICATED', 'Sign in first.'));
  app.get('/stream', async (_request, reply) => reply.send(Readable.from(['words'])));
  app.get('/own', async (_request, reply) => reply.header('referrer-policy', 'no-referrer').send());
  app.post('/guarded', { onRequest: guard }, async () => ({}));
}

describe('[contract 17] every answer carries the security headers', () => {
  it.each(['/open', '/docs', '/guarded', '/nope', '/%zz', '/stream', '/own'])(
    'has each header once in the response to %s on a connection',
    async (url) => {
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
    },
  );

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
    const hosts = policy.match(/[a-z]+:\/\/[^\s;]+/g);
    expect(hosts).toEqual(['ws://localhost:3000']);
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
    const { headers } = await ask(origin);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(headers.vary).toContain('Origin');
  });

  it.each([STRANGER, 'null', `${FRIEND}.evil.example`, 'https://play.example:444', undefined])(
    'does not let %s read responses',
    async (origin) => {
      const { headers } = await ask(origin);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers.vary).toContain('Origin');
    },
  );

  it('exposes refusals and their headers to these origins too', async () => {
    const { status, headers } = await ask(FRIEND, '/nope');
    expect([status, headers['access-control-allow-origin']]).toEqual([404, FRIEND]);
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    const limits = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
    expect(exposed).toEqual(['x-request-id', 'etag', 'location', 'retry-after', ...limits]);
  });

  it('answers a preflight before authentication', async () => {
    const SENT = 'content-type,idempotency-key,last-event-id';
    const edge = await edgeFor({ corsOrigins: [FRIEND] });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': SENT };
    const preflight = (origin: string) =>
      edge.call({ method: 'OPTIONS', url: '/guarded', headers: { origin, ...asked } });
    const { status, headers, text } = await preflight(FRIEND);
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': SENT,
      'access-control-max-age': '3600',
      'x-request-id': expect.any(String),
    });
    const methods = String(headers['access-control-allow-methods']).split(', ');
    expect(methods).toEqual(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect((await preflight(STRANGER)).headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('[contract 8] TRUST_PROXY', () => {
  const CLIENT = '203.0.113.9';
  /** Sends a request from `peer` with `forwarded` as its X-Forwarded-For. */
  async function addressSeen(trustProxy: string[], peer: string, forwarded: string) {
    const edge = await edgeFor({ trustProxy });
    const headers = { 'x-forwarded-for': forwarded };
    return (await edge.call({ url: '/open', remoteAddress: peer, headers })).body.ip;
  }

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
  ] as const)('%s', async (_title, trusted, peer, forwarded, seen) => {
    expect(await addressSeen([...trusted], peer, forwarded)).toBe(seen);
  });
});
