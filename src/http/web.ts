// The page to play on, at `/`: the built files of src/web, and what the page must know of this
// service. The files are read once, so that a replica never mixes two builds:
// @fastify/static reads them anew for each request, also while a build replaces them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { PAGE_PATHS } from '../web/routes.ts';
import { registerWebConfig } from './web-config.ts';

/** Where `npm run build` puts the page. */
export const WEB_ROOT = fileURLToPath(new URL('../../dist/web', import.meta.url));

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files below this folder have a hash of their content in their name. */
const ASSETS = '/assets/';

/** What is asked for here is asked for by programs. */
const NO_PAGES = /^(api|ws|docs|assets)(\/|$)/;

/** What a browser may understand, best first, and how such a file ends. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file in every form that the build has made of it. */
interface PageFile {
  type: string;
  etag: string;
  /** By content encoding; `identity` is the file itself. */
  forms: Map<string, Buffer>;
}

export type WebDeps = Pick<Config, 'production' | 'auth' | 'corsOrigins' | 'guests' | 'mail'> & {
  /** Where the built page lies. */
  root?: string;
};

/** Serves the page. Without a built one it says so in one line, and `/` stays unknown. */
export function registerWeb(app: FastifyInstance, deps: WebDeps): void {
  const { root = WEB_ROOT } = deps;
  const files = readPage(root);
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
    app.get(path, { schema }, (request, reply) => send(request, reply, index, 'no-cache'));
  for (const [path, file] of files) {
    if (!path.startsWith(ASSETS)) continue;
    const cacheControl = 'public, max-age=31536000, immutable';
    app.get(path, { schema }, (request, reply) => send(request, reply, file, cacheControl));
  }
  app.get('/*', { schema }, (request, reply) => {
    if (!isLostReader(request)) return reply.callNotFound();
    return send(request, reply.status(404), index, 'no-store');
  });
}

/** Who opens an unknown address in a browser is told so by the page, in words. [contract 17] */
function isLostReader({ params, headers }: FastifyRequest): boolean {
  const { '*': path } = params as { '*': string };
  const wantsHtml = /\btext\/html\b(?!\s*;[^,]*\bq=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '');
  return wantsHtml && !NO_PAGES.test(path);
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, forms }: PageFile,
  cacheControl: string,
): FastifyReply {
  // Beside the `Origin` of CORS.
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ');
  reply.header('cache-control', cacheControl).header('etag', etag).header('vary', vary);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag)
    return reply.status(304).send();
  const encoding = bestEncoding(request.headers['accept-encoding'], forms);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send(forms.get(encoding));
}

function bestEncoding(accepted: string | string[] | undefined, forms: Map<string, Buffer>): string {
  const names = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
    .map((item) => item.split(';', 1)[0]?.trim());
  const best = ENCODINGS.find(([name]) => names.includes(name) && forms.has(name));
  return best?.[0] ?? 'identity';
}

/** @returns the files by their path; none when the folder isn't there */
function readPage(root: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const path of pathsIn(root)) {
    const type = TYPES[extname(path)];
    if (!type) continue;
    const content = readFileSync(join(root, path));
    const forms = new Map([['identity', content]]);
    files.set(path, { type, forms, etag: `W/"${hashOf(content)}"` });
  }
  for (const path of pathsIn(root))
    for (const [name, suffix] of ENCODINGS)
      if (path.endsWith(suffix))
        files.get(path.slice(0, -suffix.length))?.forms.set(name, readFileSync(join(root, path)));
  return files;
}

/** @returns the paths of all files, from `/` */
function pathsIn(root: string): string[] {
  try {
    const found = readdirSync(root, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}
