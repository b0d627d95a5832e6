import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerDocs } from '../../src/http/documents/docs.ts';
import { startEdge, type TestEdge } from '../support/edge.ts';

let edge: TestEdge;
beforeAll(async () => {
  edge = await startEdge(registerDocs);
});
afterAll(() => edge.stop());

/** All files of the page, from the page on, as a browser finds them. */
async function pageFiles(): Promise<Map<string, { type: string; text: string }>> {
  const files = new Map<string, { type: string; text: string }>();
  const pending = ['/docs'];
  for (let path = pending.pop(); path; path = pending.pop()) {
    if (files.has(path)) continue;
    const { status, headers, text } = await edge.call(path);
    expect(status, path).toBe(200);
    files.set(path, { type: String(headers['content-type']), text });
    for (const [, url = ''] of text.matchAll(
      /(?:from|src=|href=) ?["']((?:\.|\/docs)\/[^"']+)["']/g,
    ))
      pending.push(new URL(url, new URL(path, 'http://x')).pathname);
  }
  return files;
}

describe('[contract 7] /docs, a page to read and try the API', () => {
  it('brings every file that it needs', async () => {
    const files = await pageFiles();
    expect([...files.keys()].sort()).toEqual([
      '/docs',
      '/docs/dom.js',
      '/docs/page.css',
      '/docs/page.js',
      '/docs/schema.js',
      '/docs/socket.js',
      '/docs/try.js',
    ]);
    expect(files.get('/docs')?.type).toMatch(/^text\/html/);
    expect(files.get('/docs/page.css')?.type).toMatch(/^text\/css/);
    expect(files.get('/docs/page.js')?.type).toMatch(/^text\/javascript/);
    expect((await edge.call('/docs/')).text).toBe(files.get('/docs')?.text);
  });

  it('needs nothing from another host, and works under its strict policy', async () => {
    for (const [path, { text }] of await pageFiles()) {
      const hosts = [...text.matchAll(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z0-9.]+/gi)].map(
        ([url]) => url,
      );
      expect(
        hosts.filter((url) => url !== 'http://www.w3.org'),
        path,
      ).toEqual([]);
      expect(text, path).not.toMatch(
        /innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
    }
    const html = (await edge.call('/docs')).text;
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    const { headers } = await edge.call('/docs');
    expect(headers['content-security-policy']).toMatch(/script-src 'self';style-src 'self'/);
  });

  it('draws itself from the published descriptions', () => {
    const page = readFileSync(
      new URL('../../src/http/documents/docs/page.js', import.meta.url),
      'utf8',
    );
    expect(page).toContain("'/api/openapi.json'");
    expect(page).toContain("'/api/asyncapi.json'");
    expect(page).not.toMatch(/\/api\/v1/);
  });

  it('can be read without a mouse, in the dark and on a phone', async () => {
    const html = (await edge.call('/docs')).text;
    expect(html).toMatch(/<html lang="en">/);
    expect(html).toMatch(/name="viewport"/);
    expect(html).toMatch(/class="skip"/);
    const css = (await edge.call('/docs/page.css')).text;
    expect(css).toContain('color-scheme: light dark');
    expect(css).toContain(':focus-visible');
    expect(css).toMatch(/@media \(max-width/);
  });

  it('is served to whoever asks, signed in or not, and asked for again when it changes', async () => {
    const { headers } = await edge.call('/docs/page.js');
    expect(headers['cache-control']).toBe('no-cache');
  });
});
