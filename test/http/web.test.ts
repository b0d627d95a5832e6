// The service serves the page to play on.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGE_PATHS } from '../../src/web/frame/routes.ts';
import { newFolder, servePage } from '../support/edge.ts';
import { useService } from '../support/service.ts';

const UNKNOWN = { status: 404, body: { code: 'ROUTE_NOT_FOUND' } };

describe('the page', () => {
  it.each(PAGE_PATHS)('is served at %s, and revalidated by browsers each time', async (path) => {
    const edge = await servePage();
    const { status, headers, text } = await edge.call(path.replace(':code', '7KQ2ZD'));
    expect(status).toBe(200);
    expect(text).toContain('<title>Play</title>');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(headers['content-security-policy']).toMatch(/script-src 'self';style-src 'self'/);
  });

  it.each(['/nope', '/lobby', '/api/v1/nope', '/assets/nope.js', '/index.html.gz', '/lobby/A/B'])(
    '[contract 1] is not served at %s',
    async (path) => {
      expect(await (await servePage()).call(path)).toMatchObject(UNKNOWN);
    },
  );

  describe('[contract 17] at an unknown address opened in a browser', () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const open = async (url: string, headers: object = { accept }, method = 'GET') =>
      (await servePage()).call({ method: method as 'GET', url, headers: { ...headers } });

    it.each(['/nope', '/lobby', '/lobby/A/B', '/apish', '/index.html.gz', '/%E2%82%AC?x=/api/'])(
      'is served with status 404, so that it shows its own "not found": %s',
      async (url) => {
        const { status, headers, text } = await open(url);
        expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(text).toContain('<title>Play</title>');
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-frame-options': 'DENY',
          'content-security-policy': expect.any(String),
        });
      },
    );

    it('is served with 404 for HEAD without a body, and for a browser that has the page in its cache', async () => {
      const { status, headers, text } = await open('/nope', { accept }, 'HEAD');
      expect([status, headers['content-type'], text]).toEqual([404, 'text/html; charset=utf-8', '']);
      const again = await open('/nope', { accept, 'if-none-match': String(headers.etag) });
      expect(again.status).toBe(404);
    });

    it.each(['/api', '/api/v1/nope', '/%61pi/v1/nope', '/ws/nope', '/docs/nope', '/assets/nope.js', '/assets'])(
      'is replaced by a problem under the paths of programs: %s',
      async (url) => {
        expect(await open(url)).toMatchObject(UNKNOWN);
      },
    );

    it.each([{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html;q=0' }])(
      'is replaced by a problem for a client that does not accept HTML: %s',
      async (headers) => {
        expect(await open('/nope', headers)).toMatchObject(UNKNOWN);
      },
    );

    it('is replaced by a problem for a malformed address or another method', async () => {
      expect((await open('/%zz')).body.code).toBe('VALIDATION_FAILED');
      expect((await open('/nope', { accept }, 'POST')).body.code).toBe('ROUTE_NOT_FOUND');
    });
  });

  it('[contract 1] allows GET and HEAD alone', async () => {
    const edge = await servePage();
    const posted = await edge.call({ method: 'POST', url: '/' });
    expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
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
    const { headers } = await (await servePage()).call('/assets/page-abc.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('is answered with 304 for a browser that has it', async () => {
    const edge = await servePage();
    const { headers } = await edge.call('/');
    const again = await edge.call({ url: '/', headers: { 'if-none-match': String(headers.etag) } });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it('is 404 when it is not built, which the log says once', async () => {
    const edge = await servePage({ root: join(newFolder(), 'nothing') });
    for (const path of ['/', '/lobby/7KQ2ZD', '/web/config.json']) expect((await edge.call(path)).status).toBe(404);
    expect(edge.log.lines().filter(({ msg }) => /no page to play on/.test(msg))).toHaveLength(1);
  });
});

describe('WEB_PAGE=false', () => {
  const { service } = useService({ WEB_PAGE: 'false' });

  it('serves the API without the page', async () => {
    for (const path of ['/', '/web/config.json', '/web/outbox.json'])
      expect((await fetch(service.url + path)).status).toBe(404);
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
  });
});
