// How often a user may be wrong about a lobby's code. Codes are short, so that people can say them:
// who may try them without end finds the lobbies of others. A member's way takes no notice of it.
// [contract 17: RATE_LIMIT_CODE_MISS_MAX]
import { AppError } from '../errors.ts';
import { limitedRequests } from '../http/rate-limit.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { missesKey } from './keys.ts';

const COUNT_MISS = loadScript(new URL('lua/count-miss.lua', import.meta.url));

/** Both throw AppError RATE_LIMITED, and an outage while Redis can't be asked. */
export interface CodeMisses {
  /** Before the answer to a try that found no lobby of the user's; it may be given if this returns. */
  count(userId: string): Promise<void>;
  /** Before a lobby that exists does what a user who is no member asks of it. */
  look(userId: string): Promise<void>;
}

/** What the use cases need that read codes. */
export interface CodeMissDeps {
  codeMisses: CodeMisses;
}

/** @param limits misses a window and user, over all replicas and whatever way they come in */
export function createCodeMisses(
  redis: RedisClient,
  limits: { codeMiss: number; windowMs: number },
): CodeMisses {
  const run = async (userId: string, mode: 'count' | 'look') => {
    const args = [limits.codeMiss, limits.windowMs, mode];
    const retryAfterMs = Number(await runScript(redis, COUNT_MISS, [missesKey(userId)], args));
    if (retryAfterMs === 0) return;
    limitedRequests.inc({ limiter: 'code_miss' });
    const seconds = Math.ceil(retryAfterMs / 1000);
    throw new AppError('RATE_LIMITED', `Too many wrong codes. Try again in ${seconds} seconds.`, {
      retryAfterMs,
    });
  };
  return {
    count: (userId) => run(userId, 'count'),
    look: (userId) => run(userId, 'look'),
  };
}
