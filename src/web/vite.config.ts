// How the page is built: plain files under dist/web, with hashed names, that src/http/web.ts serves.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path('.'),
  cacheDir: path('../../node_modules/.vite'),
  plugins: [precompress()],
  build: {
    outDir: path('../../dist/web'),
    emptyOutDir: true,
    // Nothing inline: the content-security policy lets in files of our own alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What the first visit needs comes as one file: each more costs its headers.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
    target: ['chrome109', 'firefox115', 'safari16'],
  },
});
