// Limits the games that a user may start in a window, over all replicas, since PostgreSQL keeps the result of
// each for good. [contract 8]
import { countOrRefuse } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';

export interface StartLimit {
  /** Counts a start, even one that is refused later. @throws AppError RATE_LIMITED; an outage */
  count(userId: string): Promise<void>;
}

/** @param limits the starts of a user in a window, and the length of the window in ms */
export function createStartLimit(
  redis: RedisClient,
  { game: max, windowMs }: { game: number; windowMs: number },
): StartLimit {
  return { count: (userId) => countOrRefuse(redis, { name: 'start', subject: userId, max, windowMs, what: 'games' }) };
}
