// Where @fastify/rate-limit counts: in Redis, or not at all where the guard before it has counted the
// request already, in the round trip in which it read the session.
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';

/** The start of every script that counts a request. */
export const COUNT = new URL('lua/count.lua', import.meta.url);

const countScript = loadScript(COUNT, new URL('lua/count-request.lua', import.meta.url));

/** How often somebody has asked in the present window, and what remains of it, ms. */
export interface Count {
  current: number;
  ttl: number;
}

/** @param keyOf names the counter of a user or an address */
export function countedStore(
  redis: RedisClient,
  keyOf: (id: string) => string,
): FastifyRateLimitStoreCtor {
  async function count(asked: string | Count, windowMs: number): Promise<Count> {
    if (typeof asked !== 'string') return asked;
    const reply = await runScript(redis, countScript, [keyOf(asked)], [windowMs]);
    const [current, ttl] = reply as [number, number];
    return { current, ttl };
  }
  return class Store {
    incr(
      asked: string | Count,
      done: (error: Error | null, count?: Count) => void,
      windowMs: number,
    ): void {
      count(asked, windowMs).then((counted) => done(null, counted), done);
    }
    child(): Store {
      return this;
    }
  };
}
