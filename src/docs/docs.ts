// Serves the two descriptions, and the documents below /docs. Scalar draws the HTTP API. The socket with a console, the
// error codes and the contract have pages with scripts of this project, since Scalar does not support them, and
// AsyncAPI's own component would need 116 MB of packages. [contract 7]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { text } from '../fields.ts';
import { jsonFile, readFiles, type SentFile, sendFile, textFile } from '../http/files.ts';
import { describeOperations, type Operation, type Route, route } from '../http/operation.ts';
import { describeSocket, type Installation } from './asyncapi.ts';
import { describeApi } from './openapi.ts';

/** The folder into which `npm run build` puts Scalar, and that of the project's own pages. */
const DOCS_ROOT = fileURLToPath(new URL('../../dist/docs', import.meta.url));
const OWN_ROOT = fileURLToPath(new URL('pages', import.meta.url));
const CONTRACT = new URL('../contract.md', import.meta.url);

const version = text('The version of the format.', '3.1.0');

const { getSocketDescription, getDescription } = describeOperations(
  { tag: 'Operations', access: 'anyone' },
  {
    getSocketDescription: {
      at: 'GET /api/asyncapi.json',
      summary: 'The description of the socket',
      description: 'AsyncAPI 3: the messages of `/ws`.',
      replies: { 200: z.looseObject({ asyncapi: version }) },
    },
    getDescription: {
      at: 'GET /api/openapi.json',
      summary: 'This description',
      replies: { 200: z.looseObject({ openapi: version }) },
    },
  },
);

/** The browser revalidates at each use, and gets the file only when it has changed. */
const CACHE_CONTROL = 'no-cache';

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
  serve('/docs/', files.get('/index.html') as SentFile);
  for (const [name, file] of files) serve(`/docs${name.replace(/(\/index)?\.html$/, '')}`, file);
}

/** @param others the operations that are served besides the descriptions, each of which is made at its first request */
export function descriptionRoutes(installation: Installation, others: Operation[]): Route[] {
  const operations = [...others, getSocketDescription, getDescription];
  const serve = (operation: Operation, describe: () => object) => {
    let file: SentFile | undefined;
    return route(operation, async (request, reply) => {
      file ??= jsonFile(describe());
      return sendFile(request, reply, file, CACHE_CONTROL);
    });
  };
  return [
    serve(getSocketDescription, () => describeSocket(installation)),
    serve(getDescription, () => describeApi(installation, operations)),
  ];
}
