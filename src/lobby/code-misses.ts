// The rate limit of wrong lobby codes, for each user and each client address. Codes are short so that people
// can say them; without a limit, a user could find the lobbies of others by guessing. The limit never refuses
// members. [contract 17: RATE_LIMIT_CODE_MISS_MAX]
import type { FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { countedNetworks } from '../http/client-address.ts';
import { type Limiter, overLimit } from '../http/over-limit.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { loadScript, runScript } from '../platform/redis/scripts.ts';
import { missesKey, strangersMissesKey } from './keys.ts';

const COUNT_MISS = loadScript(new URL('lua/count-miss.lua', import.meta.url));

export interface CodeSender {
  userId: string;
  /** The client's address, as the rate limiters see it. */
  address: string;
}

/** A sender without a session is counted by the address alone, in a counter that refuses nobody with a session. */
type Sender = Omit<CodeSender, 'userId'> & Partial<Pick<CodeSender, 'userId'>>;

/** @returns who has sent a request with a code */
export function senderOf({ user, clientAddress }: FastifyRequest): CodeSender {
  return { userId: user.id, address: clientAddress };
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
  limiter: Limiter;
  key: string;
  max: number;
}

/** @param limits the misses of a user in a window, over all replicas, by HTTP and by sockets */
export function createCodeMisses(redis: RedisClient, limits: { codeMiss: number; windowMs: number }): CodeMisses {
  function countersOf({ userId, address }: Sender): Counter[] {
    const isStranger = userId === undefined;
    const limiter: Limiter = isStranger ? 'stranger_code_miss' : 'code_miss';
    const keyOf = isStranger ? strangersMissesKey : missesKey;
    const networks = countedNetworks(address).map(({ key, times }) => ({
      limiter,
      key: keyOf(key),
      max: times * BUDGETS.codeMissesOfAddress.max * limits.codeMiss,
    }));
    if (isStranger) return networks;
    return [{ limiter, key: missesKey(userId), max: limits.codeMiss }, ...networks];
  }

  async function run({ limiter, key, max }: Counter, mode: 'count' | 'check'): Promise<void> {
    const args = [max, limits.windowMs, mode];
    const waitMs = Number(await runScript(redis, COUNT_MISS, [key], args));
    if (waitMs > 0) throw overLimit({ limiter, what: 'wrong codes', max, waitMs });
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
