// The page to play on as the service serves it: the files, what the page is told, and to whom.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { registerWeb, type WebDeps } from '../../src/http/web.ts';
import type { OutboxMail } from '../../src/web/page-schema.ts';
import { PAGE_PATHS } from '../../src/web/routes.ts';
import { startEdge, type TestEdge } from '../support/edge.ts';
import { startService } from '../support/service.ts';
import { startStores } from '../support/stores.ts';

const PHONE = { remoteAddress: '192.168.1.20', headers: { host: '192.168.1.5:3000' } };

const newFolder = () => mkdtempSync(join(inject('temporaryFolder'), 'web-'));

/** A page with one script that is compressed and one that is not worth it. */
function makePage(): string {
  const root = newFolder();
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Play</title>');
  writeFileSync(join(root, 'assets/page-abc.js'), 'play()');
  writeFileSync(join(root, 'assets/page-abc.js.gz'), gzipSync('play()'));
  writeFileSync(join(root, 'assets/page-abc.js.br'), 'as brotli has it');
  writeFileSync(join(root, 'assets/tiny-def.css'), '*{}');
  return root;
}

async function serve(change: Partial<WebDeps> = {}): Promise<TestEdge> {
  const deps: WebDeps = {
    production: false,
    guests: false,
    auth: {
      secret: 'secret',
      publicUrl: 'http://localhost:3000',
      cookieDomain: undefined,
      trustedOrigins: [],
      google: undefined,
      github: undefined,
    },
    corsOrigins: ['http://localhost:3000'],
    mail: {
      resendApiKey: undefined,
      resendBaseUrl: undefined,
      from: '',
      outbox: join(newFolder(), 'outbox.jsonl'),
    },
    root: makePage(),
    ...change,
  };
  const edge = await startEdge((app) => registerWeb(app, deps));
  onTestFinished(() => edge.stop());
  return edge;
}

describe('the page', () => {
  it.each(PAGE_PATHS)('stands at %s, asked for anew each time', async (path) => {
    const edge = await serve();
    const { status, headers, text } = await edge.call(path.replace(':code', '7KQ2ZD'));
    expect(status).toBe(200);
    expect(text).toContain('<title>Play</title>');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(headers['content-security-policy']).toMatch(/script-src 'self';style-src 'self'/);
  });

  it.each(['/nope', '/lobby', '/api/v1/nope', '/assets/nope.js', '/index.html.gz', '/lobby/A/B'])(
    '[contract 1] %s stays unknown',
    async (path) => {
      const edge = await serve();
      expect(await edge.call(path)).toMatchObject({
        status: 404,
        body: { code: 'ROUTE_NOT_FOUND' },
      });
    },
  );

  describe('[contract 17] an unknown address opened in a browser', () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const open = async (url: string, headers: object = { accept }, method = 'GET') =>
      (await serve()).call({ method: method as 'GET', url, headers: { ...headers } });

    it.each(['/nope', '/lobby', '/lobby/A/B', '/apish', '/index.html.gz', '/%E2%82%AC?x=/api/'])(
      'is the page’s own "not found", with status 404: %s',
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

    it('is so for HEAD, without a body, and for who has the page already', async () => {
      const { status, headers, text } = await open('/nope', { accept }, 'HEAD');
      expect([status, headers['content-type'], text]).toEqual([
        404,
        'text/html; charset=utf-8',
        '',
      ]);
      const again = await open('/nope', { accept, 'if-none-match': String(headers.etag) });
      expect(again.status).toBe(404);
    });

    it.each([
      '/api',
      '/api/v1/nope',
      '/%61pi/v1/nope',
      '/ws/nope',
      '/docs/nope',
      '/assets/nope.js',
      '/assets',
    ])('is a problem under the addresses of programs: %s', async (url) => {
      expect(await open(url)).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
    });

    it.each([{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html;q=0' }])(
      'is a problem for who does not ask for HTML: %s',
      async (headers) => {
        const answer = await open('/nope', headers);
        expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
      },
    );

    it('is a problem where it is not an address, or another method', async () => {
      expect((await open('/%zz')).body.code).toBe('VALIDATION_FAILED');
      expect((await open('/nope', { accept }, 'POST')).body.code).toBe('ROUTE_NOT_FOUND');
    });
  });

  it('[contract 1] takes GET and HEAD alone', async () => {
    const edge = await serve();
    const posted = await edge.call({ method: 'POST', url: '/' });
    expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await edge.call({ method: 'HEAD', url: '/' })).toMatchObject({ status: 200, text: '' });
  });

  it('comes compressed to who understands it', async () => {
    const edge = await serve();
    const ask = async (url: string, accepted: string) => {
      const answer = await edge.call({ url, headers: { 'accept-encoding': accepted } });
      expect(answer.headers.vary).toContain('accept-encoding');
      return answer;
    };
    const script = '/assets/page-abc.js';
    const [brotli, gzip, plain] = await Promise.all(
      ['gzip, deflate, br', 'gzip;q=0.5, br;q=0', ''].map((accepted) => ask(script, accepted)),
    );
    expect(brotli).toMatchObject({
      text: 'as brotli has it',
      headers: { 'content-encoding': 'br' },
    });
    expect(gzip?.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(plain?.text).toBe('play()');
    expect(plain?.headers).not.toHaveProperty('content-encoding');
    expect(await ask('/assets/tiny-def.css', 'br')).toMatchObject({ text: '*{}' });
  });

  it('its files are kept for a year, since other contents have other names', async () => {
    const edge = await serve();
    const { headers } = await edge.call('/assets/page-abc.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('is not sent again to who has it', async () => {
    const edge = await serve();
    const { headers } = await edge.call('/');
    const again = await edge.call({
      url: '/',
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it('not built, it is missing, and the log says so once', async () => {
    const edge = await serve({ root: join(newFolder(), 'nothing') });
    for (const path of ['/', '/lobby/7KQ2ZD', '/web/config.json'])
      expect((await edge.call(path)).status).toBe(404);
    expect(edge.lines.filter(({ msg }) => /no page to play on/.test(msg))).toHaveLength(1);
  });
});

describe('what the page is told', () => {
  const config = async (change: Partial<WebDeps>, request: object = {}) => {
    const edge = await serve(change);
    return (await edge.call({ url: '/web/config.json', ...request })).body;
  };
  const credentials = { clientId: 'id', clientSecret: 'secret' };
  const auth = (change: object) => ({ auth: { ...change } }) as Partial<WebDeps>;
  const withKey = { mail: { resendApiKey: 'key', outbox: 'x' } } as Partial<WebDeps>;

  it('the social sign-ins that are set up, without their secrets', async () => {
    expect((await config({})).providers).toEqual([]);
    const both = await config(auth({ google: credentials, github: credentials }));
    expect(both.providers).toEqual(['google', 'github']);
    expect(JSON.stringify(both)).not.toContain('secret');
    expect((await config(auth({ github: credentials }))).providers).toEqual(['github']);
  });

  it('where mails that are not sent can be read', async () => {
    expect((await config({})).outbox).toBe('here');
    expect((await config({}, PHONE)).outbox).toBe('elsewhere');
    expect((await config(withKey)).outbox).toBeNull();
    expect((await config({ production: true })).outbox).toBeNull();
  });

  it('an address for friends, where the page was opened as localhost on a developer’s machine', async () => {
    const corsOrigins = [
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://192.168.1.5:3000',
    ];
    expect((await config({ corsOrigins })).shareOrigin).toBe('http://192.168.1.5:3000');
    expect((await config({ corsOrigins }, PHONE)).shareOrigin).toBeNull();
    expect((await config({ corsOrigins, production: true })).shareOrigin).toBeNull();
    expect((await config({})).shareOrigin).toBeNull();
  });
});

describe('the outbox', () => {
  const URL_OF_MAIL = 'http://localhost:3000/api/auth/verify-email?token=t';

  async function serveOutbox(mails: object[], change: Partial<WebDeps> = {}): Promise<TestEdge> {
    const outbox = join(newFolder(), 'outbox.jsonl');
    for (const mail of mails) appendFileSync(outbox, `${JSON.stringify(mail)}\n`);
    return serve({ mail: { outbox } as WebDeps['mail'], ...change });
  }
  const mail = (subject: string) => ({
    to: 'ada@example.com',
    subject,
    text: 'x'.repeat(40_000),
    html: '<p>',
    url: URL_OF_MAIL,
  });

  it('lists the last mails, the newest first, on this machine', async () => {
    const subjects = Array.from({ length: 30 }, (_, index) => `mail ${index}`);
    const edge = await serveOutbox(subjects.map(mail));
    const { status, body, headers } = await edge.call('/web/outbox.json');
    const mails = body.mails as OutboxMail[];
    expect(status).toBe(200);
    expect(mails[0]).toEqual({ to: 'ada@example.com', subject: 'mail 29', url: URL_OF_MAIL });
    expect(mails.length).toBeGreaterThan(5);
    expect(mails.length).toBeLessThanOrEqual(20);
    expect(mails.at(-1)?.subject).toBe(`mail ${30 - mails.length}`);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is empty before the first mail', async () => {
    const edge = await serve();
    expect((await edge.call('/web/outbox.json')).body).toEqual({ mails: [] });
  });

  it.each([
    ['another device', PHONE],
    [
      'another device that claims to be this one',
      { ...PHONE, headers: { host: 'localhost:3000' } },
    ],
    ['a name that somebody has made lead here', { headers: { host: 'evil.example' } }],
    ['a tunnel on this machine', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a proxy on this machine', { headers: { forwarded: 'for=203.0.113.9' } }],
    ['a proxy that only names itself', { headers: { via: '1.1 proxy' } }],
    ['a proxy that says whom it asks for', { headers: { 'x-real-ip': '203.0.113.9' } }],
    ['another one', { headers: { 'cf-connecting-ip': '203.0.113.9' } }],
    [
      'one of a cloud',
      { headers: { 'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678' } },
    ],
  ])('is not there for %s', async (_who, request) => {
    const edge = await serveOutbox([mail('secret')]);
    const answer = await edge.call({ url: '/web/outbox.json', ...request });
    expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
  });

  it('is not there for a proxy that adds nothing, but speaks HTTP/1.0', async () => {
    const edge = await serveOutbox([mail('secret')]);
    const ask = (version: string) =>
      edge.raw(
        `GET /web/outbox.json HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask('1.1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('1.0')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['in production', { production: true }],
    ['where mails are sent', { mail: { resendApiKey: 'key', outbox: 'x' } as WebDeps['mail'] }],
  ])('does not exist %s', async (_where, change) => {
    const edge = await serveOutbox([mail('secret')], change);
    expect((await edge.call('/web/outbox.json')).status).toBe(404);
  });
});

describe('WEB_PAGE', () => {
  it('false: the API alone', async () => {
    const stores = await startStores();
    const service = await startService(stores, { WEB_PAGE: 'false' });
    onTestFinished(async () => {
      await service.stop();
      await stores.stop();
    });
    for (const path of ['/', '/web/config.json', '/web/outbox.json'])
      expect((await fetch(service.url + path)).status).toBe(404);
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
  });
});

describe('the page as it is built', () => {
  let root: string;
  beforeAll(async () => {
    root = newFolder();
    await build({
      configFile: new URL('../../src/web/vite.config.ts', import.meta.url).pathname,
      logLevel: 'silent',
      build: { outDir: root },
    });
  });
  const read = (path: string) => readFileSync(join(root, path));
  const files = () => readdirSync(root, { recursive: true }).map(String);

  it('needs nothing inline and nothing from elsewhere', () => {
    const html = read('index.html').toString();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) expect(source).toMatch(/^\/assets\//);
    for (const file of files().filter((name) => /\.(js|css)$/.test(name)))
      expect(
        read(file)
          .toString()
          // A namespace, and what a library's warning refers to: nothing is asked of either.
          .match(/(https?:)?\/\/(?!www\.w3\.org|simplewebauthn\.dev)[a-z0-9-]+\.[a-z]{2,}/g),
      ).toBeNull();
  });

  it('its compressed forms are the same files', () => {
    for (const file of files()) {
      if (file.endsWith('.br'))
        expect(brotliDecompressSync(read(file))).toEqual(read(file.slice(0, -3)));
      if (file.endsWith('.gz')) expect(gunzipSync(read(file))).toEqual(read(file.slice(0, -3)));
    }
    expect(files().filter((file) => file.endsWith('.br')).length).toBeGreaterThan(3);
  });

  it('weighs less than 60 kB', () => {
    const first = [
      'index.html.br',
      ...files().filter((name) => /index-.*\.(js|css)\.br$/.test(name)),
    ];
    expect(first).toHaveLength(3);
    const bytes = first.reduce((sum, file) => sum + read(file).length, 0);
    expect(bytes).toBeLessThan(60_000);
  });
});
