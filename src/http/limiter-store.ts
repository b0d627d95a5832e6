// The store of @fastify/rate-limit. Its counters are in Redis, so that all replicas share them.
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import type { CountedNetwork } from './client-address.ts';

const countScript = loadScript(new URL('lua/count-request.lua', import.meta.url));

export interface Count {
  /** The number of requests in the current window. */
  current: number;
  /** What remains of the window, ms. */
  ttl: number;
}

/**
 * Adds a request to a counter.
 * @param windowMs how long the counter lives from its first request, ms
 */
export async function countRequest(redis: RedisClient, key: string, windowMs: number): Promise<Count> {
  const reply = await runScript(redis, countScript, [key], [windowMs]);
  const [current, ttl] = reply as [number, number];
  return { current, ttl };
}

/**
 * @param countersOf returns the counters of a user or an address, the narrowest network first. Each allows `times`
 *   the limit, and a request that exceeds one of them is not counted by those after it
 */
export function countedStore(
  redis: RedisClient,
  countersOf: (id: string) => CountedNetwork[],
): FastifyRateLimitStoreCtor {
  async function count(id: string, windowMs: number, max: number): Promise<Count> {
    let nearest: Count = { current: 0, ttl: windowMs };
    for (const { key, times } of countersOf(id)) {
      const { current: counted, ttl } = await countRequest(redis, key, windowMs);
      // The plugin compares with `max`, so that the count is lowered by what this counter allows beyond `max`.
      const current = counted - (times - 1) * max;
      if (current > nearest.current) nearest = { current, ttl };
      if (current > max) break;
    }
    return nearest;
  }
  return class Store {
    incr(id: string, done: (error: Error | null, count?: Count) => void, windowMs: number, max: number): void {
      count(id, windowMs, max).then((counted) => done(null, counted), done);
    }
    child(): Store {
      return this;
    }
  };
}
