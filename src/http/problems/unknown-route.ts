// Answers requests that no route serves: 404 for an unknown path, and for an upgrade of a path without a socket; 405
// with `Allow` for a wrong method of a known path; and OPTIONS outside of CORS. None needs a session. [contract 1, 10]
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../../errors.ts';
import { sendProblem } from './problem.ts';

export function registerUnknownRoutes(app: FastifyInstance): void {
  const known: { pattern: RegExp; methods: string[] }[] = [];
  const socketPaths = new Set<string>();
  app.addHook('onRoute', ({ url, method, wsHandler }) => {
    if (wsHandler) socketPaths.add(url);
    // The catch-all routes of the web page and of CORS don't make every path a known one.
    if (url !== '*' && url !== '/*') known.push({ pattern: patternOf(url), methods: [method].flat() });
  });

  function allowedAt(url: string): string[] {
    // An encoded slash does not end a segment, as in Fastify's own router.
    const path = decodeURI(pathOf(url));
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (isSocketUpgrade(request)) {
      // Node.js does not end the connection of an upgrade request that gets a plain response.
      reply.raw.once('finish', () => request.raw.socket.destroySoon());
      if (!socketPaths.has(pathOf(request.url))) return done(new AppError('ROUTE_NOT_FOUND'));
    }
    // security.ts answers preflights of CORS; with an empty header a request is none.
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (request.method !== 'OPTIONS' || (origin && asked)) return done();
    const allowed = allowedAt(request.url);
    if (allowed.length === 0) return done(new AppError('ROUTE_NOT_FOUND'));
    reply.status(204).header('allow', allowed.join(', ')).send();
  });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, refusalOf(request, reply, allowedAt(request.url))),
  );
}

function refusalOf({ originalUrl, url, method }: FastifyRequest, reply: FastifyReply, allowed: string[]): AppError {
  if (originalUrl !== url) return invalid([{ path: 'url', message: 'must be validly percent-encoded' }]);
  if (allowed.length === 0 || allowed.includes(method)) return new AppError('ROUTE_NOT_FOUND');
  reply.header('allow', allowed.join(', '));
  const methods = allowed.filter((name) => name !== 'OPTIONS').join(' or ');
  return new AppError('METHOD_NOT_ALLOWED', `Use ${methods} here.`);
}

/** Leads a wrongly percent-encoded address to an unknown route, whose refusal has all headers and a log line. */
export function rewriteMalformedUrl({ url = '/' }: { url?: string | undefined }): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(pathOf(url));
    return url;
  } catch {
    return '/api/v1/malformed-url';
  }
}

/** @returns whether a request asks for a WebSocket; any other protocol that it offers is ignored [RFC 9110, 7.8] */
export function isSocketUpgrade({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>) {
  return (
    method === 'GET' && /\bupgrade\b/i.test(headers.connection ?? '') && headers.upgrade?.toLowerCase() === 'websocket'
  );
}

/** @returns what matches the paths of a route such as `/api/v1/lobbies/:code` or `/api/auth/*` */
function patternOf(url: string): RegExp {
  const source = url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*');
  return new RegExp(`^${source}$`, 's');
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? url;
