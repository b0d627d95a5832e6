import { execFileSync } from 'node:child_process';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { registerDocs } from '../../src/docs/docs.ts';
import { useEdge } from '../support/edge.ts';

beforeAll(() => void execFileSync(process.execPath, ['src/docs/build.ts', '--if-stale']));
const edge = useEdge(registerDocs);

const PAGES = ['/docs', '/docs/sockets', '/docs/errors', '/docs/contract'];

/** Follows all links from the pages, as a browser does. */
async function pageFiles() {
  const files = new Map<string, { type: string; text: string }>();
  const pending = [...PAGES];
  for (let path = pending.pop(); path; path = pending.pop()) {
    if (files.has(path)) continue;
    const { status, headers, text } = await edge.call(path);
    expect(status, path).toBe(200);
    files.set(path, { type: String(headers['content-type']), text });
    for (const [, url = ''] of text.matchAll(/(?:from|src=|href=) ?["']((?:\.|\/docs)\/[^"']+)["']/g))
      pending.push(new URL(url, new URL(path, 'http://x')).pathname);
  }
  return files;
}

describe('[contract 7] /docs, a page to read and try the API', () => {
  it('serves every file that it needs', async () => {
    const files = await pageFiles();
    const scripts = ['contract', 'dom', 'errors', 'page', 'reference', 'scalar', 'schema', 'socket'];
    const others = ['/docs/contract.md', '/docs/page.css', ...scripts.map((name) => `/docs/${name}.js`)];
    expect([...files.keys()].sort()).toEqual([...PAGES, ...others].sort());
    expect(files.get('/docs')?.type).toMatch(/^text\/html/);
    expect(files.get('/docs/page.css')?.type).toMatch(/^text\/css/);
    expect(files.get('/docs/page.js')?.type).toMatch(/^text\/javascript/);
    expect((await edge.call('/docs/')).text).toBe(files.get('/docs')?.text);
  });

  it('needs no other host, and works under its strict Content Security Policy', async () => {
    for (const [path, { text }] of await pageFiles()) {
      // The browser tests show that Scalar requests none of the addresses in its code.
      if (path === '/docs/scalar.js') continue;
      const hosts = new Set(text.match(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z0-9.]+/gi));
      hosts.delete('http://www.w3.org');
      expect([...hosts], path).toEqual([]);
      expect(text, path).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
    }
    for (const path of [...PAGES, '/docs/']) {
      const { text, headers } = await edge.call(path);
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
      const styles = /^\/docs\/?$/.test(path) ? "'self' 'unsafe-inline'" : "'self'";
      const policy = `default-src 'none';script-src 'self';style-src ${styles};`;
      expect(headers['content-security-policy']).toContain(policy);
    }
  });

  it('is served to anybody, and revalidated at each request', async () => {
    const { headers } = await edge.call('/docs/page.js');
    expect(headers['cache-control']).toBe('no-cache');
    const known = { 'if-none-match': String(headers.etag) };
    expect((await edge.call({ url: '/docs/page.js', headers: known })).status).toBe(304);
  });

  it('is served compressed, also from files that are too large to be kept in memory', async () => {
    const request = (encoding: string) =>
      edge.app.inject({ url: '/docs/scalar.js', headers: { 'accept-encoding': encoding } });
    const [plain, gzip, br] = [await request('identity'), await request('gzip'), await request('br')];
    expect([gzip.headers, br.headers]).toMatchObject([{ 'content-encoding': 'gzip' }, { 'content-encoding': 'br' }]);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(br.rawPayload.length).toBeLessThan(1_500_000);
  });
});
