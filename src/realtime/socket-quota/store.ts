// The open sockets of each user over all replicas, in Redis: each has a lease, which its replica renews.
// Users share sixteen hash slots, so that a replica renews all its leases by a few commands on a Redis
// Cluster too. [contract 17]
import { chunksOf } from '../../platform/redis/chunks.ts';
import { addMember, type ExpiringMember, renewMembers } from '../../platform/redis/expiring-set.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';

/** How often a replica renews the leases of its sockets, ms. */
export const RENEW_INTERVAL_MS = 5000;

/** How long a lease lasts, ms: two renewals may fail; it expires within 20 s of a crash. [contract 17] */
const LEASE_TTL_MS = 3 * RENEW_INTERVAL_MS;

/** Leases that one command renews; more of them would block Redis for too long. */
const LEASES_PER_COMMAND = 500;

/** The right of one user to one open socket. */
export interface SocketLease {
  leaseId: string;
  userId: string;
}

/** Users' ids are random, so that their last digits spread users evenly. */
function shardOf(userId: string): string {
  return userId.slice(-1);
}

function memberOf({ leaseId, userId }: SocketLease): ExpiringMember {
  return { key: `socket_leases:{${shardOf(userId)}}:${userId}`, member: leaseId };
}

/**
 * Acquires a lease. Of concurrent calls, no more succeed than the quota allows.
 * @param max leases of one user
 * @returns whether the quota allowed it
 * @throws an outage where Redis is away
 */
export async function acquireLease(redis: RedisClient, lease: SocketLease, max: number): Promise<boolean> {
  return (await addMember(redis, memberOf(lease), { max, ttlMs: LEASE_TTL_MS })) === 0;
}

export async function releaseLease(redis: RedisClient, lease: SocketLease): Promise<void> {
  const { key, member } = memberOf(lease);
  await redis.zrem(key, member);
}

/** Renews leases, including those that Redis has lost. */
export async function renewLeases(redis: RedisClient, leases: Iterable<SocketLease>): Promise<void> {
  const shards = Map.groupBy(leases, ({ userId }) => shardOf(userId));
  const chunks = [...shards.values()].flatMap((shard) => chunksOf(shard, LEASES_PER_COMMAND));
  await Promise.all(chunks.map((chunk) => renewMembers(redis, chunk.map(memberOf), LEASE_TTL_MS)));
}
