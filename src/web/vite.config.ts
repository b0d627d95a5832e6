// Builds the page as files with hashed names under dist/web, which src/http/web.ts serves.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path('.'),
  cacheDir: path('../../node_modules/.vite'),
  // Files are compressed once, here. Below the threshold, in bytes, the response's headers outweigh the gain.
  plugins: [compression({ threshold: 512, logLevel: 'silent' })],
  build: {
    outDir: path('../../dist/web'),
    emptyOutDir: true,
    // The content security policy allows no inline assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The first visit loads one file, since each further request has the overhead of its headers.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    target: ['chrome109', 'firefox115', 'safari16'],
  },
});
