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

/** Content encodings and the suffixes of such files, the best first; `identity` is the file itself. */
const ENCODINGS = { br: '.br', gzip: '.gz', identity: '' };
/** A moderate quality, for files that are compressed while the process starts. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Larger files are read for each reply: Scalar's script, which few people need, and no other file depends on. */
const KEPT_BYTES = 512 * 1024;
/** The bytes, or the path of a file that is not kept. */
type Form = Buffer | string;
export interface SentFile {
  type: string;
  etag: string;
  /** The content by its encoding. */
  forms: Map<string, Form>;
}

/** @returns the files of a folder by their paths, which begin with `/`; none when the folder does not exist */
export function readFiles(root: string): Map<string, SentFile> {
  const files = new Map<string, SentFile>();
  const paths = pathsIn(root);
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (!type) continue;
    const content = readFileSync(join(root, path));
    const forms = new Map([['identity', formOf(join(root, path), content)]]);
    for (const [encoding, suffix] of Object.entries(ENCODINGS))
      if (suffix && paths.has(path + suffix)) forms.set(encoding, formOf(join(root, path + suffix)));
    files.set(path, { type, forms, etag: etagOf(content) });
  }
  return files;
}

export function jsonFile(document: object): SentFile {
  return textFile(TYPES['.json'] as string, Buffer.from(JSON.stringify(document)));
}

/** @returns a text as a file of this media type, which this call compresses */
export function textFile(type: string, content: Buffer): SentFile {
  const forms = { br: brotliCompressSync(content, BROTLI), gzip: gzipSync(content), identity: content };
  return { type, forms: new Map(Object.entries(forms)), etag: etagOf(content) };
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
  const encoding = Object.keys(ENCODINGS).find((name) => accepted.includes(name)) ?? 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const form = forms.get(encoding);
  reply.header('content-type', type);
  return reply.send(typeof form === 'string' ? createReadStream(form) : shared(form as Buffer));
}

function etagOf(content: Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`;
}

function formOf(path: string, content = readFileSync(path)): Form {
  return content.length > KEPT_BYTES ? path : content;
}

function pathsIn(root: string): Set<string> {
  const found = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  const files = found.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/')));
}
