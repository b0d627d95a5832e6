// How the page is built: plain files under dist/web, with hashed names, that src/http/web.ts serves.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path('.'),
  cacheDir: path('../../node_modules/.vite'),
  // As well as can be, once, so that no request waits for it; below that, headers weigh more.
  plugins: [compression({ threshold: 512, logLevel: 'silent' })],
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
