// The rate limit of wrong lobby codes, for each user and each client address. Codes are short so that people
// can say them; without a limit, a user could find the lobbies of others by guessing. The limit never refuses
// members. [contract 17: RATE_LIMIT_CODE_MISS_MAX]
import type { FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { countedNetworks } from '../http/client-address.ts';
import { countAllOrRefuse, countOrRefuse, perNetwork, type RefusedBeyond } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';

export interface CodeSender {
  userId: string;
  /** The client's address, as the rate limiters see it. */
  address: string;
}

/** A sender without a session is counted by the address alone, in a counter that refuses nobody with a session. */
type Sender = Omit<CodeSender, 'userId'> & Partial<Pick<CodeSender, 'userId'>>;

export function senderOf({ user, clientAddress }: FastifyRequest): CodeSender {
  return { userId: user.id, address: clientAddress };
}

export type CodeMisses = ReturnType<typeof createCodeMisses>;

/**
 * Both methods throw AppError RATE_LIMITED, and an outage where Redis is away.
 * @param limits the misses of a user in a window, over all replicas, by HTTP and by sockets
 */
export function createCodeMisses(redis: RedisClient, limits: { codeMiss: number; windowMs: number }) {
  function allowancesOf({ userId, address }: Sender): RefusedBeyond[] {
    const shared = { windowMs: limits.windowMs, what: 'wrong codes' };
    const networks = perNetwork(countedNetworks(address), {
      ...shared,
      name: userId === undefined ? 'stranger_code_miss' : 'code_miss',
      max: BUDGETS.codeMissesOfAddress.max * limits.codeMiss,
    });
    if (userId === undefined) return networks;
    return [{ ...shared, name: 'code_miss', subject: userId, max: limits.codeMiss }, ...networks];
  }

  return {
    /** Counts a code that is of no lobby of the user's. It must be called before the code is refused. */
    async count(sender: Sender): Promise<void> {
      // The user's own counter comes first: its refusals don't count for the address, so that one user can't
      // use up the limit of a class.
      await countAllOrRefuse(redis, allowancesOf(sender), 'within');
    },
    /** Checks the limit without counting, before a user who is no member enters an existing lobby. */
    async check(sender: Sender): Promise<void> {
      await Promise.all(allowancesOf(sender).map((allowance) => countOrRefuse(redis, allowance, 'never')));
    },
  };
}
