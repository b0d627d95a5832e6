// Serves the page to play on at `/`: the built files of src/web, and the page's configuration; on a development machine
// also the emails that were not sent. None of it is a part of the API.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Mail } from '../platform/mailer.ts';
import { type OutboxMail, type PageConfig, PROVIDERS } from '../web/frame/page-schema.ts';
import { PAGE_PATHS } from '../web/frame/routes.ts';
import { readFiles, sendFile } from './files.ts';

/** `npm run build` puts the page there. */
const WEB_ROOT = fileURLToPath(new URL('../../dist/web', import.meta.url));
/** Files below this folder have a hash of their content in their name, so that browsers may cache them for ever. */
const ASSETS = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Programs, and not people, request unknown addresses below these paths. */
const NO_PAGES = /^(api|ws|docs|assets)(\/|$)/;
/** The type as browsers name it; a client that accepts any type is a program. */
const HTML = /^text\/html$/i;

export type WebOptions = Pick<Config, 'production' | 'auth' | 'corsOrigins' | 'guests' | 'mail'> & { root?: string };

/** When the page is not built, a warning is logged and `/` stays unknown. */
export function registerWeb(app: FastifyInstance, options: WebOptions): void {
  const { root = WEB_ROOT } = options;
  const files = readFiles(root);
  const index = files.get('/index.html');
  if (!index) {
    app.log.warn({ root }, 'no page to play on: "npm run build" makes it, WEB_PAGE=false turns it off');
    return;
  }
  registerWebConfig(app, options);
  files.delete('/index.html');
  for (const path of PAGE_PATHS) files.set(path, index);
  for (const [path, file] of files) {
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

const MAX_MAILS = 20;
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);
const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;

/** Headers that proxies add to the requests that they forward. */
const PROXY_HEADER =
  /^(via|cdn-loop|(x-)?forwarded.*|.*(client|real|connecting)-ip|x-(amzn|arr|azure|envoy|original|proxy|proxyuser)-.*)$/;

/** Serves GET /web/config.json, and the outbox outside production when no email provider is configured. */
function registerWebConfig(app: FastifyInstance, options: WebOptions): void {
  const { production, auth, guests, mail, corsOrigins } = options;
  const hasOutbox = !production && !mail.resendApiKey;
  app.get('/web/config.json', (request, reply) => {
    const outbox = isFromThisMachine(request) ? 'here' : 'elsewhere';
    // Other devices can't open `localhost`.
    const reachable = corsOrigins.find((origin) => !LOOPBACK_NAMES.has(new URL(origin).hostname)) ?? null;
    const config: PageConfig = {
      providers: PROVIDERS.filter((provider) => auth[provider]),
      oidcName: auth.oidc?.name ?? null,
      emailSignUp: auth.emailSignUp,
      guests,
      outbox: hasOutbox ? outbox : null,
      shareOrigin: !production && LOOPBACK_NAMES.has(request.hostname) ? reachable : null,
    };
    return reply.header('cache-control', 'no-store').send(config);
  });
  if (!hasOutbox) return;
  app.get('/web/outbox.json', async (request, reply) => {
    if (!isFromThisMachine(request)) throw new AppError('ROUTE_NOT_FOUND');
    return reply.header('cache-control', 'no-store').send({ mails: await lastMails(mail.outbox) });
  });
}

/**
 * @returns whether a browser on this machine sends the request. The client address is not enough, since a tunnel or a
 * proxy has the same one, and any name can be made to resolve to this machine
 */
function isFromThisMachine({ ip, hostname, headers, socket, raw: { httpVersion } }: FastifyRequest): boolean {
  const own = socket.localAddress?.replace(/^::ffff:/, '');
  const isOwn = LOOPBACK_ADDRESS.test(ip) || ip.replace(/^::ffff:/, '') === own;
  const isNamed = LOOPBACK_NAMES.has(hostname) || hostname === own;
  const isForwarded = Object.keys(headers).some((name) => PROXY_HEADER.test(name));
  // Some proxies add no header but use HTTP/1.0, which no browser does.
  return isOwn && isNamed && !isForwarded && httpVersion !== '1.0';
}

/** @returns the last emails, the newest first; none when the file does not exist */
async function lastMails(file: string): Promise<OutboxMail[]> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = text.split('\n').filter(Boolean).slice(-MAX_MAILS).reverse();
  return lines.map((line) => {
    const { to, subject, url } = JSON.parse(line) as Mail;
    return { to, subject, url };
  });
}
