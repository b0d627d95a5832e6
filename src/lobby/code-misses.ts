// The rate limit of wrong lobby codes, for each user and each client address. Codes are short so that people
// can say them; without a limit, a user could find the lobbies of others by guessing. The limit never refuses
// members. [contract 17: RATE_LIMIT_CODE_MISS_MAX]
import type { FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { countedNetworks } from '../http/client-address.ts';
import { limitedRequests } from '../http/rate-limit.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import { missesKey } from './keys.ts';

const COUNT_MISS = loadScript(new URL('lua/count-miss.lua', import.meta.url));

export interface CodeSender {
  userId: string;
  /** The client's address, as the rate limiters see it. */
  address: string;
}

/** A sender without a session is counted by the address alone. */
type Sender = Omit<CodeSender, 'userId'> & Partial<Pick<CodeSender, 'userId'>>;

/** @returns who has sent a request with a code */
export function senderOf({ user, ip }: FastifyRequest): CodeSender {
  return { userId: user.id, address: ip };
}

/** Both methods throw AppError RATE_LIMITED, and an outage where Redis is away. */
export interface CodeMisses {
  /** Counts a code that is of no lobby of the user's. It must be called before the code is refused. */
  count(sender: Sender): Promise<void>;
  /** Checks the limit without counting, before a user who is no member enters an existing lobby. */
  check(sender: Sender): Promise<void>;
}

export interface CodeMissDeps {
  codeMisses: CodeMisses;
}

interface Counter {
  key: string;
  max: number;
}

/** @param limits the misses of a user in a window, over all replicas, by HTTP and by sockets */
export function createCodeMisses(
  redis: RedisClient,
  limits: { codeMiss: number; windowMs: number },
): CodeMisses {
  function countersOf({ userId, address }: Sender): Counter[] {
    const networks = countedNetworks(address).map(({ key, times }) => ({
      key: missesKey(key),
      max: times * BUDGETS.codeMissesOfAddress.max * limits.codeMiss,
    }));
    const own = userId === undefined ? [] : [{ key: missesKey(userId), max: limits.codeMiss }];
    return [...own, ...networks];
  }

  async function run({ key, max }: Counter, mode: 'count' | 'check'): Promise<void> {
    const args = [max, limits.windowMs, mode];
    const retryAfterMs = Number(await runScript(redis, COUNT_MISS, [key], args));
    if (retryAfterMs === 0) return;
    limitedRequests.inc({ limiter: 'code_miss' });
    const seconds = Math.ceil(retryAfterMs / 1000);
    throw new AppError('RATE_LIMITED', `Too many wrong codes. Try again in ${seconds} seconds.`, {
      retryAfterMs,
    });
  }

  return {
    async count(sender) {
      // The user's own counter comes first: its refusals don't count for the address, so that one user can't
      // use up the limit of a class.
      for (const counter of countersOf(sender)) await run(counter, 'count');
    },
    async check(sender) {
      await Promise.all(countersOf(sender).map((counter) => run(counter, 'check')));
    },
  };
}
