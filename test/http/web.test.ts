// The service serves the page to play on, the settings that it needs, and, on a developer's machine, the mails that are
// not sent. Only browsers on that machine can list them.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WebOptions } from '../../src/http/web.ts';
import { PAGE_PATHS } from '../../src/web/frame/routes.ts';
import { newFolder, PHONE, servePage, type TestEdge } from '../support/edge.ts';
import { useService } from '../support/service.ts';

const UNKNOWN = { status: 404, body: { code: 'ROUTE_NOT_FOUND' } };
const HTML = 'text/html; charset=utf-8';
const PAGE = expect.stringContaining('<title>Play</title>');

describe('the page', () => {
  it.each(PAGE_PATHS)('is served at %s, and revalidated by browsers each time', async (path) => {
    const edge = await servePage();
    const headers = {
      'content-type': HTML,
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("script-src 'self';style-src 'self'"),
    };
    expect(await edge.call(path.replace(':code', '7KQ2ZD'))).toMatchObject({ status: 200, text: PAGE, headers });
  });

  describe('[contract 17] at an unknown address opened in a browser', () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const open = async (url: string, headers: object = { accept }, method = 'GET') =>
      (await servePage()).call({ method: method as 'GET', url, headers: { ...headers } });

    const UNKNOWN_PAGES = ['/nope', '/lobby', '/lobby/A/B', '/apish', '/index.html.gz', '/%E2%82%AC?x=/api/'];
    it.each(UNKNOWN_PAGES)('is served with status 404, so that it shows its own "not found": %s', async (url) => {
      const headers = {
        'content-type': HTML,
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.any(String),
      };
      expect(await open(url)).toMatchObject({ status: 404, text: PAGE, headers });
    });

    it('is served with 404 for HEAD without a body, and for a browser that has the page in its cache', async () => {
      const found = await open('/nope', { accept }, 'HEAD');
      expect(found).toMatchObject({ status: 404, text: '', headers: { 'content-type': HTML } });
      const again = await open('/nope', { accept, 'if-none-match': String(found.headers.etag) });
      expect(again.status).toBe(404);
    });

    const PROGRAMS = ['/api', '/api/v1/nope', '/%61pi/v1/nope', '/ws/nope', '/docs/nope', '/assets/nope.js', '/assets'];
    it.each(PROGRAMS)('is replaced by a problem under the paths of programs: %s', async (url) => {
      expect(await open(url)).toMatchObject(UNKNOWN);
    });

    const HEADERS = [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html;q=0' }];
    it.each(HEADERS)('[contract 1] is replaced by a problem for a client that accepts no HTML: %s', async (headers) => {
      expect(await open('/nope', headers)).toMatchObject(UNKNOWN);
    });

    it('is replaced by a problem for a malformed address or another method', async () => {
      expect((await open('/%zz')).body.code).toBe('VALIDATION_FAILED');
      expect((await open('/nope', { accept }, 'POST')).body.code).toBe('ROUTE_NOT_FOUND');
    });
  });

  it('[contract 1] allows GET and HEAD alone', async () => {
    const edge = await servePage();
    const refused = { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } };
    expect(await edge.call({ method: 'POST', url: '/' })).toMatchObject(refused);
    expect(await edge.call({ method: 'HEAD', url: '/' })).toMatchObject({ status: 200, text: '' });
  });

  it('is compressed as Accept-Encoding allows', async () => {
    const edge = await servePage();
    const get = async (url: string, accepted: string) => {
      const response = await edge.call({ url, headers: { 'accept-encoding': accepted } });
      expect(response.headers.vary).toContain('accept-encoding');
      return response;
    };
    const script = '/assets/page-abc.js';
    const [brotli, gzip, plain] = await Promise.all(
      ['gzip, deflate, br', 'gzip;q=0.5, br;q=0', ''].map((accepted) => get(script, accepted)),
    );
    expect(brotli).toMatchObject({ text: 'as brotli has it', headers: { 'content-encoding': 'br' } });
    const javascript = { 'content-type': 'text/javascript; charset=utf-8' };
    expect(gzip?.headers).toMatchObject({ 'content-encoding': 'gzip', ...javascript });
    expect(plain?.text).toBe('play()');
    expect(plain?.headers).not.toHaveProperty('content-encoding');
    expect(await get('/assets/tiny-def.css', 'br')).toMatchObject({ text: '*{}' });
  });

  it('has assets that browsers cache for a year, since their names contain a hash', async () => {
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
    expect(await (await servePage()).call('/assets/page-abc.js')).toMatchObject({ headers });
  });

  it('is 404 when it is not built, which the log says once', async () => {
    const edge = await servePage({ root: join(newFolder(), 'nothing') });
    for (const path of ['/', '/lobby/7KQ2ZD', '/web/config.json']) expect((await edge.call(path)).status).toBe(404);
    expect(edge.log.lines().filter(({ msg }) => /no page to play on/.test(msg))).toHaveLength(1);
  });
});

const { service } = useService({ WEB_PAGE: 'false' });
it('the API is served without the page if WEB_PAGE=false', async () => {
  for (const path of ['/', '/web/config.json', '/web/outbox.json'])
    expect((await fetch(service.url + path)).status).toBe(404);
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
});

describe('the settings of the page', () => {
  const config = async (change: Partial<WebOptions>, request: object = {}) =>
    (await (await servePage(change)).call({ url: '/web/config.json', ...request })).body;
  const credentials = { clientId: 'id', clientSecret: 'secret' };
  const auth = (change: object) => ({ auth: { ...change } }) as Partial<WebOptions>;
  const withKey = { mail: { resendApiKey: 'key', outbox: 'x' } } as Partial<WebOptions>;

  it('name the social sign-ins that are configured, without their secrets', async () => {
    expect(await config({})).toMatchObject({ providers: [], oidcName: null });
    const both = await config(auth({ google: credentials, github: credentials }));
    expect(both.providers).toEqual(['google', 'github']);
    expect(JSON.stringify(both)).not.toContain('secret');
    expect((await config(auth({ github: credentials }))).providers).toEqual(['github']);
    const own = await config(auth({ oidc: { ...credentials, name: 'Our School' } }));
    expect(own).toMatchObject({ providers: ['oidc'], oidcName: 'Our School' });
    expect(JSON.stringify(own)).not.toContain('secret');
  });

  it('say whether people can sign up by email', async () => {
    expect((await config({})).emailSignUp).toBe(true);
    expect((await config(auth({ emailSignUp: false }))).emailSignUp).toBe(false);
  });

  it('say whether the outbox can be read on this device', async () => {
    expect((await config({})).outbox).toBe('here');
    expect((await config({}, PHONE)).outbox).toBe('elsewhere');
    expect((await config(withKey)).outbox).toBeNull();
    expect((await config({ production: true })).outbox).toBeNull();
  });

  it('have an address for other devices, where the page was opened as localhost on a developer’s machine', async () => {
    const corsOrigins = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://192.168.1.5:3000'];
    expect((await config({ corsOrigins })).shareOrigin).toBe('http://192.168.1.5:3000');
    expect((await config({ corsOrigins }, PHONE)).shareOrigin).toBeNull();
    expect((await config({ corsOrigins, production: true })).shareOrigin).toBeNull();
    expect((await config({})).shareOrigin).toBeNull();
  });
});

describe('the outbox', () => {
  const URL_OF_MAIL = 'http://localhost:3000/api/auth/verify-email?token=t';

  async function serveOutbox(mails: object[], change: Partial<WebOptions> = {}): Promise<TestEdge> {
    const outbox = join(newFolder(), 'outbox.jsonl');
    for (const mail of mails) appendFileSync(outbox, `${JSON.stringify(mail)}\n`);
    return servePage({ mail: { outbox } as WebOptions['mail'], ...change });
  }
  const rest = { to: 'ada@example.com', text: 'x'.repeat(40_000), html: '<p>', url: URL_OF_MAIL };
  const mail = (subject: string) => ({ ...rest, subject });

  it('lists the last mails, the newest first, to a browser on this machine', async () => {
    const subjects = Array.from({ length: 30 }, (_, index) => `mail ${index}`);
    const edge = await serveOutbox(subjects.map(mail));
    const { status, body, headers } = await edge.call('/web/outbox.json');
    const last = subjects.slice(-20).reverse();
    expect(body.mails).toEqual(last.map((subject) => ({ to: 'ada@example.com', subject, url: URL_OF_MAIL })));
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  });

  it('is empty before the first mail', async () => {
    expect((await (await servePage()).call('/web/outbox.json')).body).toEqual({ mails: [] });
  });

  it.each([
    ['another device', PHONE],
    ['another device that claims to be this one', { ...PHONE, headers: { host: 'localhost:3000' } }],
    ['a foreign host name that resolves to this machine', { headers: { host: 'evil.example' } }],
    ['a proxy that sends X-Forwarded-For', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a proxy that sends Forwarded', { headers: { forwarded: 'for=203.0.113.9' } }],
    ['a proxy that sends X-Amzn-Trace-Id', { headers: { 'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678' } }],
  ])('is 404 for %s', async (_who, request) => {
    const edge = await serveOutbox([mail('secret')]);
    expect(await edge.call({ url: '/web/outbox.json', ...request })).toMatchObject(UNKNOWN);
  });

  it('is 404 for a proxy that sends none of these headers and speaks HTTP/1.0', async () => {
    const edge = await serveOutbox([mail('secret')]);
    const get = (version: string) =>
      edge.raw(`GET /web/outbox.json HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await get('1.1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('1.0')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['in production', { production: true }],
    ['where mails are sent', { mail: { resendApiKey: 'key', outbox: 'x' } as WebOptions['mail'] }],
  ])('is 404 %s', async (_where, change) => {
    const edge = await serveOutbox([mail('secret')], change);
    expect((await edge.call('/web/outbox.json')).status).toBe(404);
  });
});
