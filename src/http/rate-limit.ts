// Rate limits requests, with counters in Redis that all replicas share. A limiter belongs to one scope of routes and is
// its onRequest hook; where requests are counted by user, it comes after the hook that authenticates. [contract 8, 10]
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { logFailure } from '../platform/outages/outage-log.ts';
import { type Count, type CountedNetwork, count, type Limiter, overLimit } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { countedNetworks } from './client-address.ts';
import { REQUEST_ID_LABEL } from './edge/requests.ts';

export type LimiterName = Extract<Limiter, 'auth' | 'guest' | 'game' | 'lobby' | 'export'>;

interface LimiterOptions {
  redis: RedisClient;
  limits: Config['rateLimits'];
  /** Returns the user for whom a request is counted; without it, requests are counted by client address. */
  keyOf?: (request: FastifyRequest) => string;
  /** Whether a request is not counted. */
  isExempt?: (request: FastifyRequest) => boolean;
}

/** @returns the hook, which counts refused requests too; it throws RATE_LIMITED, and UNAVAILABLE without Redis */
export async function createLimiter(
  scope: FastifyInstance,
  name: LimiterName,
  { redis, limits, keyOf, isExempt }: LimiterOptions,
): Promise<onRequestAsyncHookHandler> {
  const countedFor = keyOf ? (userId: string) => [{ key: userId, times: 1 }] : countedNetworks;
  const what = keyOf ? 'requests' : 'requests from your network';
  await scope.register(rateLimit, {
    global: false,
    store: countedStore(redis, name, countedFor),
    max: limits[name],
    timeWindow: limits.windowMs,
    enableDraftSpec: true,
    keyGenerator: keyOf ?? (({ clientAddress }) => clientAddress),
    ...(isExempt ? { allowList: isExempt } : {}),
    errorResponseBuilder: (_request, { ttl }) => overLimit({ name, what, max: limits[name] }, ttl),
  });
  const limitRequest = scope.rateLimit() as unknown as onRequestAsyncHookHandler;
  return async function limit(request, reply) {
    try {
      await limitRequest.call(this, request, reply);
    } catch (error) {
      if (error instanceof AppError) throw error;
      const fields = { [REQUEST_ID_LABEL]: request.id, limiter: name };
      logFailure(request.server.log, 'error', error, 'limiter failed', fields);
      throw new AppError('UNAVAILABLE');
    }
  };
}

/** @param countedFor returns for whom a request counts, the narrowest network first; a refusal ends the counting */
function countedStore(
  redis: RedisClient,
  name: LimiterName,
  countedFor: (id: string) => CountedNetwork[],
): FastifyRateLimitStoreCtor {
  async function countAll(id: string, windowMs: number, max: number): Promise<Count> {
    let nearest: Count = { current: 0, ttl: windowMs };
    for (const { key, times } of countedFor(id)) {
      const { current: counted, ttl } = await count(redis, { name, subject: key, max: times * max, windowMs });
      // The plugin compares with `max`, so that the count is lowered by what this counter allows beyond `max`.
      const current = counted - (times - 1) * max;
      if (current > nearest.current) nearest = { current, ttl };
      if (current > max) break;
    }
    return nearest;
  }
  return class Store {
    incr(id: string, done: (error: Error | null, count?: Count) => void, windowMs: number, max: number): void {
      countAll(id, windowMs, max).then((counted) => done(null, counted), done);
    }
    child(): Store {
      return this;
    }
  };
}

const EXEMPT_AUTH_PATH = /^\/api\/auth\/(get-session|sign-out|callback\/[^/]+)$/;

/** Dots in the path are resolved as better-auth does: `callback/../sign-in/email` is a sign-in. [contract 8] */
export function isExemptFromAuthLimit(request: FastifyRequest): boolean {
  const base = 'http://localhost';
  return URL.canParse(request.url, base) && EXEMPT_AUTH_PATH.test(new URL(request.url, base).pathname);
}
