// The limiters, counted in Redis and so shared by all replicas. Each belongs to one scope of routes
// and runs as its onRequest hook, after the guard where requests are counted by user.
// [contract 8, 10]
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import { counter } from '../platform/metrics.ts';
import { countOutage } from '../platform/outage-log.ts';
import type { RedisClient } from '../platform/redis.ts';
import { clientAddressKey } from './client-address.ts';
import { type Count, countedStore } from './limiter-store.ts';

export type LimiterName = 'auth' | 'guest' | 'game' | 'lobby';

/** By limiter; the wrong codes of src/lobby/code-misses.ts are one of them. */
export const limitedRequests = counter(
  'quiz_requests_limited_total',
  'Requests refused by a limiter.',
  ['limiter'],
);

/** What a limiter needs. */
export interface LimiterOptions {
  redis: RedisClient;
  /** Requests per window, for each limiter, and the window. */
  limits: Record<LimiterName, number> & { windowMs: number };
  /** Whom a request is counted for, or the count itself; without it, the client's address. */
  keyOf?: (request: FastifyRequest) => string | Count;
  /** Which requests are not counted at all. */
  isExempt?: (request: FastifyRequest) => boolean;
}

/** @returns the name of a limiter's counter of one user or address */
export function limiterKey(name: LimiterName, id: string): string {
  return `limit:${name}:${id}`;
}

/**
 * Prepares a limiter for the routes of `scope`, which must be a scope of its own (`app.register`):
 * a scope has one limiter. Refused requests count too. [contract 10]
 *
 * @returns the hook: throws RATE_LIMITED over the limit and UNAVAILABLE when Redis can't be asked
 */
export async function createLimiter(
  scope: FastifyInstance,
  name: LimiterName,
  { redis, limits, keyOf = ({ ip }) => clientAddressKey(ip), isExempt }: LimiterOptions,
): Promise<onRequestAsyncHookHandler> {
  await scope.register(rateLimit, {
    global: false,
    store: countedStore(redis, (id) => limiterKey(name, id)),
    max: limits[name],
    timeWindow: limits.windowMs,
    enableDraftSpec: true,
    keyGenerator: keyOf as (request: FastifyRequest) => string,
    ...(isExempt ? { allowList: isExempt } : {}),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError(
        'RATE_LIMITED',
        `Too many requests. Try again in ${Math.ceil(ttl / 1000)} seconds.`,
      ),
  });
  const count = scope.rateLimit() as unknown as onRequestAsyncHookHandler;
  return async function limit(request, reply) {
    try {
      await count.call(this, request, reply);
    } catch (error) {
      if (!(error instanceof AppError)) {
        if (!countOutage(request.server.log, error))
          request.log.error({ err: error, limiter: name }, 'limiter failed');
        throw new AppError('UNAVAILABLE');
      }
      limitedRequests.inc({ limiter: name });
      throw error;
    }
  };
}

const EXEMPT_AUTH_PATH = /^\/api\/auth\/(get-session|sign-out|callback\/[^/]+)$/;

/**
 * @returns whether the auth limiter skips this request. The path is read as the authentication
 * layer reads it, dots resolved: `callback/../sign-in/email` is a sign-in. [contract 8]
 */
export function isExemptFromAuthLimit(request: FastifyRequest): boolean {
  const base = 'http://localhost';
  return (
    URL.canParse(request.url, base) && EXEMPT_AUTH_PATH.test(new URL(request.url, base).pathname)
  );
}
