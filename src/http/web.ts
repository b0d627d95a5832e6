// Serves the page to play on at `/`: the built files of src/web, and the page's configuration.
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { PAGE_PATHS } from '../web/frame/routes.ts';
import { readFiles, sendFile } from './files.ts';
import { type PageSettings, registerWebConfig } from './web-config.ts';

/** The folder into which `npm run build` puts the page. */
const WEB_ROOT = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Files below this folder have a hash of their content in their name, so that browsers may cache them for ever. */
const ASSETS = '/assets/';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Programs, and not people, request unknown addresses below these paths. */
const NO_PAGES = /^(api|ws|docs|assets)(\/|$)/;

/** The type as browsers name it; whoever accepts any type is a program. */
const HTML = /^text\/html$/i;

export type WebOptions = PageSettings & {
  /** The folder of the built page. */
  root?: string;
};

/** Serves the page. When it is not built, a warning is logged and `/` stays unknown. */
export function registerWeb(app: FastifyInstance, options: WebOptions): void {
  const { root = WEB_ROOT } = options;
  const files = readFiles(root);
  const index = files.get('/index.html');
  if (!index) {
    app.log.warn({ root }, 'no page to play on: "npm run build" makes it, WEB_PAGE=false turns it off');
    return;
  }
  registerWebConfig(app, options);
  for (const path of PAGE_PATHS) app.get(path, (request, reply) => sendFile(request, reply, index, 'no-cache'));
  for (const [path, file] of files) {
    if (file === index) continue;
    const cacheControl = path.startsWith(ASSETS) ? FOR_EVER : 'no-cache';
    app.get(path, (request, reply) => sendFile(request, reply, file, cacheControl));
  }
  app.get('/*', (request, reply) => {
    if (!wantsPage(request)) return reply.callNotFound();
    return sendFile(request, reply.status(404), index, 'no-store');
  });
}

/** @returns whether a browser has opened an unknown address, which the page explains in words [contract 17] */
function wantsPage({ params, raw }: FastifyRequest): boolean {
  const { '*': path } = params as { '*': string };
  return !NO_PAGES.test(path) && new Negotiator(raw).mediaTypes().some((type) => HTML.test(type));
}
