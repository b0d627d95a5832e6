// Reads the files of the page and of the documents once, and sends them in the best encoding that the browser accepts.
// @fastify/static would read them at each request, and a replica could mix two builds while a build replaces them.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { shared } from './replies.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Content encodings and the suffixes of such files, the best first. */
const ENCODINGS = Object.entries({ br: '.br', gzip: '.gz' });
/** A moderate quality, for files that are compressed while the process starts. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * Larger files, in bytes, are read again for each reply: that is Scalar's script, which few people need, and which does
 * not depend on other files.
 */
const KEPT_BYTES = 512 * 1024;
/** The bytes, or the path of a file that is not kept. */
type Form = Buffer | string;

export interface SentFile {
  type: string;
  etag: string;
  /** The content by its encoding; `identity` is the file itself. */
  forms: Map<string, Form>;
}

/** @returns the files of a folder by their paths, which begin with `/`; none when the folder does not exist */
export function readFiles(root: string): Map<string, SentFile> {
  const files = new Map<string, SentFile>();
  const paths = pathsIn(root);
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (!type) continue;
    const place = join(root, path);
    const content = readFileSync(place);
    const file = fileOf(type, content, keptForm(place, content));
    for (const [name, suffix] of ENCODINGS)
      if (paths.has(path + suffix)) file.forms.set(name, keptForm(place + suffix));
    files.set(path, file);
  }
  return files;
}

/** @returns a JSON document as a file, which this call compresses */
export function jsonFile(document: object): SentFile {
  return textFile(TYPES['.json'] as string, Buffer.from(JSON.stringify(document)));
}

/** @returns a text as a file of this media type, which this call compresses */
export function textFile(type: string, content: Buffer): SentFile {
  const file = fileOf(type, content);
  file.forms.set('br', brotliCompressSync(content, BROTLI)).set('gzip', gzipSync(content));
  return file;
}

/** Sends a file in the best accepted encoding, or 304 when the browser has it already. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, forms }: SentFile,
  cacheControl: string,
): FastifyReply {
  // CORS may have set `Vary: Origin` already.
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ');
  reply.header('cache-control', cacheControl).header('etag', etag).header('vary', vary);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.status(304).send();
  const accepted = new Negotiator(request.raw).encodings([...forms.keys()]);
  const encoding = ENCODINGS.find(([name]) => accepted.includes(name))?.[0] ?? 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const form = forms.get(encoding);
  reply.header('content-type', type);
  return reply.send(typeof form === 'string' ? createReadStream(form) : shared(form as Buffer));
}

function fileOf(type: string, content: Buffer, form: Form = content): SentFile {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  return { type, forms: new Map([['identity', form]]), etag: `W/"${hash}"` };
}

function keptForm(path: string, content = readFileSync(path)): Form {
  return content.length > KEPT_BYTES ? path : content;
}

function pathsIn(root: string): Set<string> {
  const found = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const files = found.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/')));
}
