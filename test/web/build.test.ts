// Vite builds the page: small, compressed, and in accordance with the content security policy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../support/page.ts';

describe('the built page', () => {
  let root: string;
  beforeAll(async () => {
    root = newFolder();
    await build({
      configFile: fileURLToPath(new URL('../../src/web/vite.config.ts', import.meta.url)),
      logLevel: 'silent',
      build: { outDir: root },
    });
  });
  const read = (path: string) => readFileSync(join(root, path));
  const files = () => readdirSync(root, { recursive: true }).map(String);

  it('has no inline scripts or styles and loads nothing from other hosts', () => {
    const html = read('index.html').toString();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) expect(source).toMatch(/^\/(assets|icons|manifest)\b/);
    for (const file of files().filter((name) => /\.(js|css)$/.test(name)))
      expect(
        read(file)
          .toString()
          // The page sends no request to these: a namespace, and the address in a library's warning.
          .match(/(https?:)?\/\/(?!www\.w3\.org|simplewebauthn\.dev)[a-z0-9-]+\.[a-z]{2,}/g),
      ).toBeNull();
  });

  it('has compressed files with the same contents', () => {
    for (const file of files()) {
      if (file.endsWith('.br')) expect(brotliDecompressSync(read(file))).toEqual(read(file.slice(0, -3)));
      if (file.endsWith('.gz')) expect(gunzipSync(read(file))).toEqual(read(file.slice(0, -3)));
    }
    expect(files().filter((file) => file.endsWith('.br')).length).toBeGreaterThan(3);
  });
});
