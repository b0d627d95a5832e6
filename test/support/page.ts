// The routes of the page on the edge, with a small page of the test's own.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inject, onTestFinished } from 'vitest';
import { registerWeb, type WebOptions } from '../../src/http/web.ts';
import type { PageConfig } from '../../src/web/frame/page-schema.ts';
import { startEdge, type TestEdge } from './edge.ts';

/** A request from another device in the same network. */
export const PHONE = { remoteAddress: '192.168.1.20', headers: { host: '192.168.1.5:3000' } };

/** The page's configuration without any provider. */
export const PAGE_CONFIG: PageConfig = {
  guests: false,
  providers: [],
  oidcName: null,
  emailSignUp: true,
  outbox: null,
  shareOrigin: null,
};

export const newFolder = () => mkdtempSync(join(inject('temporaryFolder'), 'web-'));

/** @returns a folder with a page, an asset with compressed forms and one without */
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

/** Serves the page until the test ends. @param change overrides of the development defaults */
export async function servePage(change: Partial<WebOptions> = {}): Promise<TestEdge> {
  const deps: WebOptions = {
    production: false,
    guests: false,
    auth: {
      secret: 'secret',
      secrets: undefined,
      unversionedSecret: undefined,
      passwordHashCost: 16,
      publicUrl: 'http://localhost:3000',
      cookieDomain: undefined,
      trustedOrigins: [],
      google: undefined,
      github: undefined,
      oidc: undefined,
      emailSignUp: true,
    },
    corsOrigins: ['http://localhost:3000'],
    mail: { resendApiKey: undefined, resendBaseUrl: undefined, from: '', outbox: join(newFolder(), 'outbox.jsonl') },
    root: makePage(),
    ...change,
  };
  const edge = await startEdge((app) => registerWeb(app, deps));
  onTestFinished(() => edge.stop());
  return edge;
}
