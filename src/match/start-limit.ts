// Limits the games that a user may start in a window, over all replicas, since PostgreSQL keeps the result of
// each for good. [contract 8]
import { AppError } from '../errors.ts';
import { countRequest } from '../http/limiter-store.ts';
import { limitedRequests } from '../http/rate-limit.ts';
import { startsKey } from '../lobby/keys.ts';
import type { RedisClient } from '../platform/redis/redis.ts';

export interface StartLimit {
  /** Counts a start, even one that is refused later. @throws AppError RATE_LIMITED; an outage */
  count(userId: string): Promise<void>;
}

/** @param limits the starts of a user in a window, and the length of the window in ms */
export function createStartLimit(
  redis: RedisClient,
  limits: { game: number; windowMs: number },
): StartLimit {
  return {
    async count(userId) {
      const { current, ttl } = await countRequest(redis, startsKey(userId), limits.windowMs);
      if (current <= limits.game) return;
      limitedRequests.inc({ limiter: 'start' });
      const seconds = Math.ceil(ttl / 1000);
      throw new AppError('RATE_LIMITED', `Too many games. Try again in ${seconds} seconds.`, {
        retryAfterMs: ttl,
      });
    },
  };
}
