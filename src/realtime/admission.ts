// Admission decides whether an upgrade gets a socket, or a request a stream. It refuses in the contract's order, by an
// ordinary HTTP response. The quotas of open sockets are of each user over all replicas, by leases in Redis which each
// replica renews, and of each client address on this replica alone. [contract 5, 17, 24]
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionUser } from '../auth/sessions/user-sessions.ts';
import { AppError } from '../errors.ts';
import { countedNetworks } from '../http/client-address.ts';
import { allowedOrigins } from '../http/edge/security.ts';
import { isTooBusy, tooBusy } from '../http/refuse-when-busy.ts';
import { isOutage } from '../platform/outages/outage.ts';
import { addMember, type ExpiringMember, renewMembers } from '../platform/redis/expiring-set.ts';
import type { CountedNetwork } from '../platform/redis/limits.ts';
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
  lease: SocketLease | null;
  isReleased: boolean;
}

/** What a connection lasts as long as: the TCP connection of a socket, the response of a stream. */
type Holder = Duplex | ServerResponse;

const holderOf = ({ ws, raw }: FastifyRequest, reply: FastifyReply): Holder => (ws ? raw.socket : reply.raw);

export function createAdmission(services: AdmissionServices) {
  const { config } = services;
  const origins = allowedOrigins(config.auth.publicUrl, config.corsOrigins);
  const addressQuota = createAddressQuota(config.sockets.perAddress);
  const userQuota = createUserQuota(services.redis, config.sockets.perUser);
  const shares = new WeakMap<Holder, QuotaShare>();

  /** The share is released even if the request was refused. */
  function release(this: Holder): void {
    const share = shares.get(this) as QuotaShare;
    share.isReleased = true;
    addressQuota.release(share.networks);
    if (share.lease) userQuota.release(share.lease);
  }

  return {
    /** Sets `request.user`, and counts the connection for its client address until it ends. */
    async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      refuseOthers(services, origins, request);
      // A response that waits for another one on its connection would not notice the connection's end.
      if (!reply.raw.socket) throw new AppError('UNAVAILABLE', 'Open the stream on another connection.');
      const holder = holderOf(request, reply);
      const networks = addressQuota.acquire(request.clientAddress) ?? refuseOverQuota('address');
      shares.set(holder, { networks, lease: null, isReleased: false });
      if (holder.closed) release.call(holder);
      else holder.on('close', release);
      const user = await findUser(services, request);
      if (!user) throw new AppError('UNAUTHENTICATED');
      request.user = user;
    },
    async countForUser(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const share = shares.get(holderOf(request, reply)) as QuotaShare;
      const lease = (await userQuota.acquire(request.user.id)) ?? refuseOverQuota('user');
      if (share.isReleased) userQuota.release(lease);
      else share.lease = lease;
    },
    /** Releases the leases of all connections, before they are closed. */
    stop: userQuota.stop,
  };
}

function refuseOthers(
  { config, lifecycle, load }: AdmissionServices,
  origins: readonly string[],
  request: FastifyRequest,
): void {
  const { origin } = request.headers;
  if (origin !== undefined && !origins.includes(origin)) {
    throw new AppError('FORBIDDEN_ORIGIN', 'Pages of this origin may not connect.');
  }
  if (lifecycle.draining) {
    throw new AppError('UNAVAILABLE', 'This replica is being stopped. Connect again.');
  }
  // A player who reconnects to a running game opens a socket, so that upgrades count as ongoing work.
  if (isTooBusy({ load, busyAfterMs: config.busyAfterMs }, 'ongoing')) throw tooBusy();
}

function refuseOverQuota(of: 'address' | 'user'): never {
  realtimeMetrics.limited.inc({ limit: of });
  throw new AppError('RATE_LIMITED', `This ${of} has too many sockets open.`, {
    retryAfterMs: OVER_QUOTA_RETRY_MS,
    limit: null,
  });
}

/** A failed session check is a 500, and a store that is away a 503. [contract 5, 17] */
async function findUser({ userSessions }: AdmissionServices, request: FastifyRequest): Promise<SessionUser | null> {
  try {
    return await userSessions.findUser(request.headers);
  } catch (error) {
    if (isOutage(error)) throw error;
    request.log.error({ err: error }, 'session check failed');
    throw new AppError('INTERNAL_ERROR');
  }
}

/** How often a replica renews the leases of its sockets, ms. */
const RENEW_INTERVAL_MS = 5000;

/** How long a lease lasts, ms: two renewals may fail; it expires within 20 s of a crash. [contract 17] */
const LEASE_TTL_MS = 3 * RENEW_INTERVAL_MS;

/** Leases that one command renews; more of them would block Redis for too long. */
const LEASES_PER_COMMAND = 500;

interface SocketLease {
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

async function renewLeases(redis: RedisClient, leases: Iterable<SocketLease>): Promise<void> {
  const shards = Map.groupBy(leases, ({ userId }) => shardOf(userId));
  const chunks = [...shards.values()].flatMap((shard) => chunksOf(shard, LEASES_PER_COMMAND));
  await Promise.all(chunks.map((chunk) => renewMembers(redis, chunk.map(memberOf), LEASE_TTL_MS)));
}

/** @param max open sockets of one user, over all replicas */
function createUserQuota(redis: RedisClient, max: number) {
  const leases = new Set<SocketLease>();
  const releasing = new Set<Promise<unknown>>();
  let isRenewing = false;

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
    async stop(): Promise<void> {
      clearInterval(timer);
      redis.off('ready', renew);
      for (const lease of leases) release(lease);
      await Promise.all(releasing);
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
        const left = countOf(key) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      }
    },
  };
}
