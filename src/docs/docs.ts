// Serves the documents below /docs. Scalar draws the HTTP API from the published description. The socket with
// a console, the error codes and the contract have pages with scripts of this project, since Scalar does not
// support them and AsyncAPI's own component would need 116 MB of packages. [contract 7]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { readFiles, type SentFile, sendFile, textFile } from '../http/files.ts';

/** The folder into which `npm run build` puts Scalar, and that of the project's own pages. */
const DOCS_ROOT = fileURLToPath(new URL('../../dist/docs', import.meta.url));
const OWN_ROOT = fileURLToPath(new URL('pages', import.meta.url));
const CONTRACT = new URL('../contract.md', import.meta.url);

/** The browser revalidates at each use, and gets the file only when it has changed. */
const CACHE_CONTROL = 'no-cache';

const PAGES: Record<string, string> = {
  '/docs': '/index.html',
  '/docs/': '/index.html',
  '/docs/sockets': '/sockets.html',
  '/docs/errors': '/errors.html',
  '/docs/contract': '/contract.html',
};

/** Scalar sets inline styles, which the content security policy of other pages forbids. */
const SCALAR_STYLES = "style-src 'self' 'unsafe-inline'";

/** Serves the files of the pages, which are read once. */
export function registerDocs(app: FastifyInstance): void {
  const scalar = readFiles(DOCS_ROOT);
  const files = new Map([...readFiles(OWN_ROOT), ...scalar]);
  if (scalar.size === 0) app.log.warn({ root: DOCS_ROOT }, 'no /docs: "npm run build" makes it');
  const serve = (path: string, file: SentFile) =>
    app.get(path, (request, reply) => {
      const policy = String(reply.getHeader('content-security-policy') ?? '');
      if (file === files.get('/index.html'))
        reply.header('content-security-policy', policy.replace(/style-src [^;]*/, SCALAR_STYLES));
      return sendFile(request, reply, file, CACHE_CONTROL);
    });
  serve('/docs/contract.md', textFile('text/markdown; charset=utf-8', readFileSync(CONTRACT)));
  for (const [path, name] of Object.entries(PAGES)) serve(path, files.get(name) as SentFile);
  for (const [name, file] of files) if (!name.endsWith('.html')) serve(`/docs${name}`, file);
}
