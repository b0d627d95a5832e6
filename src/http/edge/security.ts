// What browsers are told: the standard security headers, and which other origins may call with
// credentials; and what is refused to pages of any other. [contract 8: CORS_ORIGIN, 17]
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/** Response headers that a page of an allowed origin may read. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

const METHODS_WITHOUT_EFFECT = new Set(['GET', 'HEAD', 'OPTIONS']);

const PREFLIGHT_MAX_AGE_SECONDS = 3600;

/**
 * The security headers are always the same, and helmet makes them anew at each request: it is asked once.
 * So is what is said to pages of any origin that may call.
 * @param publicUrl the service's own origin; only under https are browsers told to stay there
 * @returns what every answer says
 */
export async function constantHeaders(publicUrl: string): Promise<Record<string, string>> {
  const probe = Fastify();
  await probe.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(publicUrl) },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
  let made: Record<string, unknown> = {};
  probe.get('/', async (_request, reply) => {
    made = { ...reply.raw.getHeaders() };
    return '';
  });
  await probe.inject('/');
  await probe.close();
  return {
    ...(made as Record<string, string>),
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
  };
}

/** Lets pages of `origins` call with credentials; answers preflights before any authentication. */
export async function registerCors(app: FastifyInstance, origins: string[]): Promise<void> {
  // With credentials, and what may be read: see `constantHeaders`.
  await app.register(cors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  });
}

/** @returns the origins whose pages may act for a user: the service's own and those of CORS_ORIGIN */
export function allowedOrigins(publicUrl: string, corsOrigins: string[]): string[] {
  return [new URL(publicUrl).origin, ...corsOrigins];
}

/**
 * Refuses what pages of other origins would do under /api/v1: a form or a body-less POST needs no
 * preflight, and the page of a sibling subdomain gets the cookie sent along. What is unknown or has
 * another method stays 404 and 405; what has no origin, as of native clients, passes. [contract 17]
 */
export function registerOriginGuard(app: FastifyInstance, origins: string[]): void {
  app.addHook('onRequest', ({ method, routeOptions, headers: { origin } }, _reply, done) => {
    if (origin === undefined || origins.includes(origin)) return done();
    if (METHODS_WITHOUT_EFFECT.has(method) || !routeOptions.url?.startsWith('/api/v1/'))
      return done();
    done(new AppError('FORBIDDEN_ORIGIN'));
  });
}

/**
 * Everything from here and nothing from elsewhere, for /docs and the page to play on. The socket's
 * address is named too: older browsers don't count it as 'self'. `upgrade-insecure-requests` is
 * left out, since it breaks plain http on localhost.
 */
function contentSecurityPolicy(publicUrl: string) {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'connect-src': ["'self'", publicUrl.replace(/^http/, 'ws')],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
}
