// Files that are read once and sent compressed, as well as the browser understands: those of the page and
// of the documents. Not @fastify/static, which reads them anew for each request, also while a build
// replaces them: so a replica never mixes two builds.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What a browser may understand, best first, and how such a file ends. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Good enough for what is compressed at start-up. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** A file in every form that there is of it. */
export interface SentFile {
  type: string;
  etag: string;
  /** By content encoding; `identity` is the file itself. */
  forms: Map<string, Buffer>;
}

/** @returns the files of a folder by their paths, from `/`; none when the folder isn't there */
export function readFiles(root: string): Map<string, SentFile> {
  const files = new Map<string, SentFile>();
  const paths = pathsIn(root);
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (type) files.set(path, fileOf(type, readFileSync(join(root, path))));
  }
  for (const path of paths)
    for (const [name, suffix] of ENCODINGS)
      if (path.endsWith(suffix))
        files.get(path.slice(0, -suffix.length))?.forms.set(name, readFileSync(join(root, path)));
  return files;
}

/** @returns a JSON document as a file, compressed here and now */
export function jsonFile(document: object): SentFile {
  const content = Buffer.from(JSON.stringify(document));
  const file = fileOf(TYPES['.json'] as string, content);
  file.forms.set('br', brotliCompressSync(content, BROTLI)).set('gzip', gzipSync(content));
  return file;
}

/** Sends a file in the best form that is understood, or that the browser has it already. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, forms }: SentFile,
  cacheControl: string,
): FastifyReply {
  // Beside the `Origin` of CORS.
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ');
  reply.header('cache-control', cacheControl).header('etag', etag).header('vary', vary);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag)
    return reply.status(304).send();
  const accepted = new Negotiator(request.raw).encodings([...forms.keys()]);
  const encoding = ENCODINGS.find(([name]) => accepted.includes(name))?.[0] ?? 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send(forms.get(encoding));
}

function fileOf(type: string, content: Buffer): SentFile {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  return { type, forms: new Map([['identity', content]]), etag: `W/"${hash}"` };
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
