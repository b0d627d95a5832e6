// Admission decides whether an upgrade gets a socket, or a request a stream. It refuses in the contract's order, by an
// ordinary HTTP response. The quotas of open sockets are of each user over all replicas, by leases in Redis which each
// replica renews, and of each client address on this replica alone. [contract 5, 17, 24]
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { countedNetworks } from '../http/client-address.ts';
import { allowedOrigins } from '../http/edge/security.ts';
import { isTooBusy, tooBusy } from '../http/refuse-when-busy.ts';
import { addMember, type CountedNetwork, type ExpiringMember, renewMembers } from '../platform/redis/limits.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { chunksOf } from '../platform/redis/scripts.ts';
import { randomText } from '../random-text.ts';
import type { Services } from '../services.ts';
import { realtimeMetrics } from './metrics.ts';

/** The `Retry-After` of an upgrade that a quota refuses, ms. [contract 17] */
const OVER_QUOTA_RETRY_MS = 5000;

type AdmissionServices = Pick<Services, 'config' | 'lifecycle' | 'load' | 'redis' | 'userSessions'>;

interface QuotaShare {
  networks: CountedNetwork[];
  lease: ExpiringMember | null;
  isReleased: boolean;
}

/** What a connection lasts as long as: the TCP connection of a socket, the response of a stream. */
type Holder = Duplex | ServerResponse;

const holderOf = ({ ws, raw }: FastifyRequest, reply: FastifyReply): Holder => (ws ? raw.socket : reply.raw);

export function createAdmission({ config, lifecycle, load, redis, userSessions }: AdmissionServices) {
  const origins = allowedOrigins(config.auth.publicUrl, config.corsOrigins);
  const addressQuota = createAddressQuota(config.sockets.perAddress);
  const userQuota = createUserQuota(redis, config.sockets.perUser);
  const shares = new WeakMap<Holder, QuotaShare>();

  /** The share is released even if the request was refused. */
  function release(this: Holder): void {
    const share = shares.get(this) as QuotaShare;
    share.isReleased = true;
    addressQuota.release(share.networks);
    if (share.lease) void userQuota.release(share.lease);
  }

  return {
    /** Sets `request.user`, and counts the connection for its client address until it ends. */
    async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { origin } = request.headers;
      if (origin !== undefined && !origins.includes(origin))
        throw new AppError('FORBIDDEN_ORIGIN', 'Pages of this origin may not connect.');
      if (lifecycle.draining) throw new AppError('UNAVAILABLE', 'This replica is being stopped. Connect again.');
      // A player who reconnects to a running game opens a socket, so that upgrades count as ongoing work.
      if (isTooBusy({ load, busyAfterMs: config.busyAfterMs }, 'ongoing')) throw tooBusy();
      // A response that waits for another one on its connection would not notice the connection's end.
      if (!reply.raw.socket) throw new AppError('UNAVAILABLE', 'Open the stream on another connection.');
      const holder = holderOf(request, reply);
      const networks = addressQuota.acquire(request.clientAddress) ?? refuseOverQuota('address');
      shares.set(holder, { networks, lease: null, isReleased: false });
      if (holder.closed) release.call(holder);
      else holder.on('close', release);
      const user = await userSessions.findUser(request.headers);
      if (!user) throw new AppError('UNAUTHENTICATED');
      request.user = user;
    },
    async countForUser(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const share = shares.get(holderOf(request, reply)) as QuotaShare;
      const lease = (await userQuota.acquire(request.user.id)) ?? refuseOverQuota('user');
      if (share.isReleased) void userQuota.release(lease);
      else share.lease = lease;
    },
    /** Releases the leases of all connections, before they are closed. */
    stop: userQuota.stop,
  };
}

function refuseOverQuota(of: 'address' | 'user'): never {
  realtimeMetrics.limited.inc({ limit: of });
  throw new AppError('RATE_LIMITED', `This ${of} has too many sockets open.`, {
    retryAfterMs: OVER_QUOTA_RETRY_MS,
    limit: null,
  });
}

/** How often a replica renews the leases of its sockets, ms. */
const RENEW_INTERVAL_MS = 5000;

/** How long a lease lasts, ms: two renewals may fail; it expires within 20 s of a crash. [contract 17] */
const LEASE_TTL_MS = 3 * RENEW_INTERVAL_MS;

/** Leases that one command renews; more of them would block Redis for too long. */
const LEASES_PER_COMMAND = 500;

/** Users' ids are random, so that their last digits, the hash tags of the keys, spread users evenly. */
const leaseKey = (userId: string) => `socket_leases:{${userId.slice(-1)}}:${userId}`;
const hashTagOf = ({ key }: ExpiringMember) => key.slice(-1);

/** @param max open sockets of one user, over all replicas */
function createUserQuota(redis: RedisClient, max: number) {
  const leases = new Set<ExpiringMember>();
  let isRenewing = false;

  async function release(lease: ExpiringMember): Promise<void> {
    // Where Redis is away, the lease expires by itself.
    if (leases.delete(lease)) await redis.zrem(lease.key, lease.member).catch(() => {});
  }

  async function renew(): Promise<void> {
    if (isRenewing || leases.size === 0) return;
    isRenewing = true;
    const ofSlots = [...Map.groupBy(leases, hashTagOf).values()];
    const chunks = ofSlots.flatMap((ofSlot) => chunksOf(ofSlot, LEASES_PER_COMMAND));
    // A lease outlives a failed renewal, and the next one follows soon.
    await Promise.allSettled(chunks.map((chunk) => renewMembers(redis, chunk, LEASE_TTL_MS)));
    isRenewing = false;
  }

  const timer = setInterval(renew, RENEW_INTERVAL_MS);
  // A Redis that comes back may have lost the leases.
  redis.on('ready', renew);

  return {
    /** @returns the lease; null when the user's quota is used up @throws an outage where Redis is away */
    async acquire(userId: string): Promise<ExpiringMember | null> {
      const lease = { key: leaseKey(userId), member: randomText(9) };
      // One script counts and adds, so that concurrent calls can't exceed the quota.
      if ((await addMember(redis, lease, { max, ttlMs: LEASE_TTL_MS })) > 0) return null;
      leases.add(lease);
      return lease;
    },
    release,
    async stop(): Promise<void> {
      clearInterval(timer);
      redis.off('ready', renew);
      await Promise.all([...leases].map(release));
    },
  };
}

/** @param max sockets of one client address */
function createAddressQuota(max: number) {
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
        counts.set(key, countOf(key) - 1);
        if (countOf(key) <= 0) counts.delete(key);
      }
    },
  };
}
