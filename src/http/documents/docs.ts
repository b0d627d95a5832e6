// GET /docs: the page to read and try the API. It draws itself from the published descriptions and
// needs nothing from anywhere else. [contract 7]
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const FILES: [path: string, file: string, type: string][] = [
  ['/docs', 'index.html', HTML],
  ['/docs/', 'index.html', HTML],
  ['/docs/page.css', 'page.css', CSS],
  ...['dom.js', 'page.js', 'schema.js', 'socket.js', 'try.js'].map(
    (file): [string, string, string] => [`/docs/${file}`, file, SCRIPT],
  ),
];

/** Serves the page's files, read once. */
export function registerDocs(app: FastifyInstance): void {
  for (const [path, file, type] of FILES) {
    const content = readFileSync(new URL(`docs/${file}`, import.meta.url));
    app.get(path, (_request, reply) =>
      reply.header('content-type', type).header('cache-control', 'no-cache').send(content),
    );
  }
}
