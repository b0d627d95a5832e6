// The standard security headers, and hooks against caches that store private responses, against pages of other origins,
// and against requests without exactly one host. [contract 8: CORS_ORIGIN, 17] [RFC 9112, 3.2]
import helmet from '@fastify/helmet';
import Fastify, { type onRequestHookHandler, type onSendHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';

/** Response headers that a page of an allowed origin may read. [contract 17] */
const EXPOSED_HEADERS =
  'x-request-id, etag, location, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset';

const METHODS_WITHOUT_EFFECT = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @returns the headers of every response. Helmet would build them anew for each; it builds these for a probe, once. */
export async function securityHeaders(publicUrl: string): Promise<Record<string, string>> {
  const probe = Fastify();
  // The address of the socket is named, since older browsers don't count it as 'self'.
  const directives = { 'manifest-src': ["'self'"], 'connect-src': ["'self'", publicUrl.replace(/^http/, 'ws')] };
  await probe.register(helmet, helmetOptions(publicUrl.startsWith('https:'), directives));
  probe.get('/', async (_request, reply) => reply.raw.getHeaders());
  const made = await probe.inject('/');
  await probe.close();
  return {
    ...made.json<Record<string, string>>(),
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
}

/** The pages of these may act for a user. */
export const allowedOrigins = (publicUrl: string, corsOrigins: string[]) => [new URL(publicUrl).origin, ...corsOrigins];

/**
 * Refuses requests under /api/v1 that change something and come from a page of another origin. CORS does not prevent
 * them, since a form and a POST without a body need no preflight, and browsers send the cookie along from a sibling
 * subdomain. Requests without an `Origin`, as of native clients, pass; unknown routes stay 404 and 405. [contract 17]
 */
export const refuseOtherOrigins =
  (origins: string[]): onRequestHookHandler =>
  (request, _reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || origins.includes(origin) || METHODS_WITHOUT_EFFECT.has(request.method)) return done();
    const isGuarded = request.routeOptions.url?.startsWith('/api/v1/');
    done(isGuarded ? new AppError('FORBIDDEN_ORIGIN') : undefined);
  };

/** Allows pages content of their own origin. `upgrade-insecure-requests` would break plain http on localhost. */
export function helmetOptions(strictTransportSecurity: boolean, more: Record<string, string[]>) {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return {
    contentSecurityPolicy: { useDefaults: false, directives: { ...directives, ...more } },
    strictTransportSecurity,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  } as const;
}

const PRIVATE_PATH = /^\/api\/(v1|auth)(?![^/])/;
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');

/** Sets `cache-control: no-store` on these responses, unless the operation says how long they may be kept. */
export const forbidStoring: onSendHookHandler = (request, reply, _payload, done) => {
  const { config, url = '' } = request.routeOptions;
  const { cacheControl } = config?.operation ?? {};
  const isKept = cacheControl !== undefined && reply.statusCode < 400;
  // The route's template covers every spelling of an address; an address without a route is tested itself.
  const isPrivate = PRIVATE_PATH.test(url) || PRIVATE_PATH.test(decodeURI(pathOf(request.url)));
  if (isPrivate) reply.header('cache-control', isKept ? cacheControl : 'no-store');
  done();
};

const isHost = (name: string) => name.length === 'host'.length && name.toLowerCase() === 'host';

/** HTTP/1.0 allows a request without a host. */
export const requireOneHost: onRequestHookHandler = ({ raw: { rawHeaders, httpVersion } }, _reply, done) => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? '')) hosts++;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return done();
  const count = hosts === 0 ? 'no' : 'more than one';
  done(new AppError('VALIDATION_FAILED', `The request names ${count} host.`));
};
