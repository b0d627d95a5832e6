// GET /docs: the API to read and to try, drawn by Scalar from the published description; and beside it,
// /docs/sockets, what Scalar has no place for: the socket with a console, and all refusals in a table.
// Ours draws the socket too, since AsyncAPI's own component would cost 116 MB of packages. [contract 7]
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { readFiles, type SentFile, sendFile } from '../files.ts';

/** Where `npm run build` puts Scalar; what is ours lies beside this file. */
const DOCS_ROOT = fileURLToPath(new URL('../../../dist/docs', import.meta.url));
const OWN_ROOT = fileURLToPath(new URL('docs', import.meta.url));

/** Asked for again each time, and sent only when it has changed. */
const CACHE_CONTROL = 'no-cache';

const PAGES: Record<string, string> = {
  '/docs': '/index.html',
  '/docs/': '/index.html',
  '/docs/sockets': '/sockets.html',
};

/** Scalar styles its elements one by one; its scripts need nothing that others don't. */
const SCALAR_STYLES = "style-src 'self' 'unsafe-inline'";

/**
 * Serves the pages' files, read once.
 * @param root where Scalar lies
 */
export function registerDocs(app: FastifyInstance, root = DOCS_ROOT): void {
  const scalar = readFiles(root);
  const files = new Map([...readFiles(OWN_ROOT), ...scalar]);
  if (scalar.size === 0) app.log.warn({ root }, 'no /docs: "npm run build" makes it');
  const serve = (path: string, file: SentFile) =>
    app.get(path, (request, reply) => {
      if (file === files.get('/index.html')) allowStyles(reply);
      return sendFile(request, reply, file, CACHE_CONTROL);
    });
  for (const [path, name] of Object.entries(PAGES)) serve(path, files.get(name) as SentFile);
  for (const [name, file] of files) if (!name.endsWith('.html')) serve(`/docs${name}`, file);
}

/** A policy of its own on that page alone. */
function allowStyles(reply: {
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
}): void {
  const name = 'content-security-policy';
  const policy = String(reply.getHeader(name) ?? '');
  reply.header(name, policy.replace(/style-src [^;]*/, SCALAR_STYLES));
}
