// The quotas of open sockets: of each user over all replicas, by leases in Redis which each replica renews, and of each
// client address on this replica alone. [contract 17]
import { countedNetworks } from '../http/client-address.ts';
import { addMember, type ExpiringMember, renewMembers } from '../platform/redis/expiring-set.ts';
import type { CountedNetwork } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { chunksOf } from '../platform/redis/scripts.ts';
import { randomText } from '../random-text.ts';

/** How often a replica renews the leases of its sockets, ms. */
const RENEW_INTERVAL_MS = 5000;

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

/** Renews leases, including those that Redis has lost. */
async function renewLeases(redis: RedisClient, leases: Iterable<SocketLease>): Promise<void> {
  const shards = Map.groupBy(leases, ({ userId }) => shardOf(userId));
  const chunks = [...shards.values()].flatMap((shard) => chunksOf(shard, LEASES_PER_COMMAND));
  await Promise.all(chunks.map((chunk) => renewMembers(redis, chunk.map(memberOf), LEASE_TTL_MS)));
}

/** @param max open sockets of one user, over all replicas */
export function createUserQuota(redis: RedisClient, max: number) {
  const leases = new Set<SocketLease>();
  const releasing = new Set<Promise<unknown>>();
  let isRenewing = false;

  /** Releases a lease. Further calls have no effect. */
  function release(lease: SocketLease): void {
    if (!leases.delete(lease)) return;
    // Where Redis is away, the lease expires by itself.
    const { key, member } = memberOf(lease);
    const done: Promise<unknown> = redis
      .zrem(key, member)
      .catch(() => {})
      .finally(() => releasing.delete(done));
    releasing.add(done);
  }

  async function renew(): Promise<void> {
    if (isRenewing || leases.size === 0) return;
    isRenewing = true;
    // A lease outlives a failed renewal, and the next one follows soon.
    await renewLeases(redis, leases).catch(() => {});
    isRenewing = false;
  }

  const timer = setInterval(renew, RENEW_INTERVAL_MS);
  // A Redis that comes back may have lost the leases.
  redis.on('ready', renew);

  return {
    /** @returns the lease; null when the user's quota is used up @throws an outage where Redis is away */
    async acquire(userId: string): Promise<SocketLease | null> {
      const lease = { leaseId: randomText(9), userId };
      // One script counts and adds, so that concurrent calls can't exceed the quota.
      if ((await addMember(redis, memberOf(lease), { max, ttlMs: LEASE_TTL_MS })) > 0) return null;
      leases.add(lease);
      return lease;
    },
    release,
    /** Releases all leases; resolves after the replies of Redis. */
    async stop(): Promise<void> {
      clearInterval(timer);
      redis.off('ready', renew);
      for (const lease of leases) release(lease);
      await Promise.all(releasing);
    },
  };
}

/** @param max sockets of one client address */
export function createAddressQuota(max: number) {
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  return {
    /** @returns the networks in which the socket counts until `release`; null when a quota is used up */
    acquire(address: string): CountedNetwork[] | null {
      const networks = countedNetworks(address);
      if (networks.some(({ key, times }) => countOf(key) >= times * max)) return null;
      for (const { key } of networks) counts.set(key, countOf(key) + 1);
      return networks;
    },
    release(networks: CountedNetwork[]): void {
      for (const { key } of networks) {
        const left = countOf(key) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      }
    },
  };
}
