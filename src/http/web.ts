// The page to play on, at `/`: the built files of src/web, and what the page must know of this
// service.
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { PAGE_PATHS } from '../web/routes.ts';
import { readFiles, sendFile } from './files.ts';
import { registerWebConfig } from './web-config.ts';

/** Where `npm run build` puts the page. */
const WEB_ROOT = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Files below this folder have a hash of their content in their name. */
const ASSETS = '/assets/';

/** What is asked for here is asked for by programs. */
const NO_PAGES = /^(api|ws|docs|assets)(\/|$)/;

export type WebDeps = Pick<Config, 'production' | 'auth' | 'corsOrigins' | 'guests' | 'mail'> & {
  /** Where the built page lies. */
  root?: string;
};

/** Serves the page. Without a built one it says so in one line, and `/` stays unknown. */
export function registerWeb(app: FastifyInstance, deps: WebDeps): void {
  const { root = WEB_ROOT } = deps;
  const files = readFiles(root);
  const index = files.get('/index.html');
  if (!index) {
    app.log.warn(
      { root },
      'no page to play on: "npm run build" makes it, WEB_PAGE=false turns it off',
    );
    return;
  }
  registerWebConfig(app, deps);
  const schema = { hide: true } as object;
  for (const path of PAGE_PATHS)
    app.get(path, { schema }, (request, reply) => sendFile(request, reply, index, 'no-cache'));
  for (const [path, file] of files) {
    if (!path.startsWith(ASSETS)) continue;
    const cacheControl = 'public, max-age=31536000, immutable';
    app.get(path, { schema }, (request, reply) => sendFile(request, reply, file, cacheControl));
  }
  app.get('/*', { schema }, (request, reply) => {
    if (!isLostReader(request)) return reply.callNotFound();
    return sendFile(request, reply.status(404), index, 'no-store');
  });
}

/** Who opens an unknown address in a browser is told so by the page, in words. [contract 17] */
function isLostReader({ params, headers }: FastifyRequest): boolean {
  const { '*': path } = params as { '*': string };
  const wantsHtml = /\btext\/html\b(?!\s*;[^,]*\bq=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '');
  return wantsHtml && !NO_PAGES.test(path);
}
