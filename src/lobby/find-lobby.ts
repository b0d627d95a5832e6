// Finds a lobby by its code for a member, and limits the wrong codes of each user and client address, since codes are
// short and could be guessed. The limit never refuses members. [contract 4, 5.1, 11, 17: RATE_LIMIT_CODE_MISS_MAX]
import type { FastifyRequest } from 'fastify';
import { BUDGETS } from '../budgets.ts';
import { AppError } from '../errors.ts';
import { countedNetworks } from '../http/client-address.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { countOrRefuse, perNetwork, type RefusedBeyond } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import type { Services } from '../services.ts';
import { parseCode } from './rules.ts';
import { findForMember, membershipOf, type StoredLobby } from './store.ts';

/** What a code of a lobby or an assignment is looked up with. */
export type FindServices = Pick<Services, 'codeMisses' | 'db'> & { postgres: Postgres };

/**
 * @param mode `enter`: a removed player gets KICKED
 * @returns the lobby, of which the sender is a member
 * @throws AppError LOBBY_NOT_FOUND, NOT_A_MEMBER, KICKED; RATE_LIMITED instead of them after too many
 */
export async function findLobbyOf(
  { postgres, codeMisses }: FindServices,
  text: string,
  sender: CodeSender,
  mode: 'read' | 'enter' = 'read',
): Promise<StoredLobby> {
  const code = parseCode(text);
  const lookup = code === null ? null : { code, userId: sender.userId };
  const stored = lookup && (await findForMember(postgres, lookup));
  if (stored) return stored;
  if (mode === 'enter' && lookup && (await membershipOf(postgres, lookup)) === 'kicked') {
    await codeMisses.check(sender);
    throw new AppError('KICKED');
  }
  // Counting comes before the query, so that the time of RATE_LIMITED shows nothing of the lobby.
  await codeMisses.count(sender);
  if (!lookup || !(await membershipOf(postgres, lookup))) throw new AppError('LOBBY_NOT_FOUND');
  throw new AppError('NOT_A_MEMBER');
}

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

/** Both methods throw AppError RATE_LIMITED, and an outage where Redis is away. */
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
    /**
     * Counts a code that is of no lobby of the user's, before it is refused. Refusals by the user's own counter, which
     * comes first, don't count for the address, so that one user can't use up the limit of a class.
     */
    count: (sender: Sender) => countOrRefuse(redis, allowancesOf(sender), 'within'),
    /** Checks the limit without counting, before a user who is no member enters an existing lobby. */
    async check(sender: Sender): Promise<void> {
      await Promise.all(allowancesOf(sender).map((allowance) => countOrRefuse(redis, [allowance], 'never')));
    },
  };
}
