// The leases of this replica's sockets: each is acquired at the upgrade and renewed while the socket is open.
// [contract 17]
import { randomBytes } from 'node:crypto';
import type { RedisClient } from '../../platform/redis/redis.ts';
import { acquireLease, RENEW_INTERVAL_MS, releaseLease, renewLeases, type SocketLease } from './store.ts';

export interface UserQuota {
  /**
   * @returns the lease; null when the user's quota is used up
   * @throws an outage where Redis is away
   */
  acquire(userId: string): Promise<SocketLease | null>;
  /** Releases a lease. Further calls have no effect. */
  release(lease: SocketLease): void;
  /** Releases all leases; resolves after the replies of Redis. */
  stop(): Promise<void>;
}

/** @param max open sockets of one user, over all replicas */
export function createUserQuota(redis: RedisClient, max: number): UserQuota {
  const leases = new Set<SocketLease>();
  const releasing = new Set<Promise<void>>();
  let isRenewing = false;

  function release(lease: SocketLease): void {
    if (!leases.delete(lease)) return;
    // Where Redis is away, the lease expires by itself.
    const done = releaseLease(redis, lease)
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
    async acquire(userId) {
      const lease = { leaseId: randomBytes(9).toString('base64url'), userId };
      if (!(await acquireLease(redis, lease, max))) return null;
      leases.add(lease);
      return lease;
    },
    release,
    async stop() {
      clearInterval(timer);
      redis.off('ready', renew);
      for (const lease of leases) release(lease);
      await Promise.all(releasing);
    },
  };
}
