// Rate limits requests, with counters in Redis that all replicas share. A limiter is an onRequest hook of a scope of
// routes; where requests are counted by user, it comes after the hook that authenticates. [contract 8, 10]
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { type Count, count, type Limiter, overLimit } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { countedNetworks } from './client-address.ts';
import { REQUEST_ID_LABEL } from './edge/requests.ts';

export type LimiterName = Extract<Limiter, 'auth' | 'guest' | 'game' | 'lobby' | 'export'>;

interface LimiterOptions {
  redis: RedisClient;
  /** The requests that each limiter allows in a window, and the window's length. */
  limits: Record<LimiterName, number> & { windowMs: number };
  /** Returns the user for whom a request is counted; without it, requests are counted by client address. */
  keyOf?: ((request: FastifyRequest) => string) | undefined;
  /** Whether a request is not counted. */
  isExempt?: (request: FastifyRequest) => boolean;
}

/**
 * @returns the hook. It throws RATE_LIMITED over the limit, and UNAVAILABLE when Redis can't be asked; refused requests
 *   count too [contract 10]
 */
export function createLimiter(name: LimiterName, { redis, limits, keyOf, isExempt }: LimiterOptions) {
  const { [name]: max, windowMs } = limits;
  const what = keyOf ? 'requests' : 'requests from your network';

  /** Counts in the narrowest network first; a request that exceeds one limit is not counted by those after it. */
  async function countAll(request: FastifyRequest): Promise<Count> {
    const networks = keyOf ? [{ key: keyOf(request), times: 1 }] : countedNetworks(request.clientAddress);
    let nearest: Count = { current: 0, ttl: windowMs };
    for (const { key, times } of networks) {
      const counted = await count(redis, { name, subject: key, max: times * max, windowMs });
      // The headers tell of one limit, so that the count is lowered by what this network may do beyond it.
      const current = counted.current - (times - 1) * max;
      if (current > nearest.current) nearest = { current, ttl: counted.ttl };
      if (current > max) break;
    }
    return nearest;
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isExempt?.(request)) return;
    const { current, ttl } = await countAll(request).catch((error: unknown) => {
      const fields = { [REQUEST_ID_LABEL]: request.id, limiter: name };
      logFailure(request.server.log, 'error', error, 'limiter failed', fields);
      throw new AppError('UNAVAILABLE');
    });
    if (current > max) throw overLimit({ limiter: name, what, max, waitMs: ttl });
    reply.header('ratelimit-limit', max);
    reply.header('ratelimit-remaining', max - current);
    reply.header('ratelimit-reset', Math.ceil(ttl / 1000));
  };
}

const EXEMPT_AUTH_PATH = /^\/api\/auth\/(get-session|sign-out|callback\/[^/]+)$/;

/**
 * @returns whether the auth limiter skips this request. Dots in the path are resolved as better-auth resolves them:
 *   `callback/../sign-in/email` is a sign-in. [contract 8]
 */
export function isExemptFromAuthLimit(request: FastifyRequest): boolean {
  const base = 'http://localhost';
  return URL.canParse(request.url, base) && EXEMPT_AUTH_PATH.test(new URL(request.url, base).pathname);
}
