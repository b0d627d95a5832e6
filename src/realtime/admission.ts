// Admission decides whether an upgrade gets a socket, or a request a stream. It refuses in the contract's order, each time
// by an ordinary HTTP response. The route has already refused what is no upgrade. [contract 5, 17, 24]
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionUser } from '../auth/sessions/user-sessions.ts';
import { AppError } from '../errors.ts';
import { allowedOrigins } from '../http/edge/security.ts';
import { isTooBusy, tooBusy } from '../http/refuse-when-busy.ts';
import { isOutage } from '../platform/outages/outage.ts';
import type { CountedNetwork } from '../platform/redis/limits.ts';
import type { Services } from '../services.ts';
import { realtimeMetrics } from './metrics.ts';
import { createAddressQuota, createUserQuota, type SocketLease } from './socket-quota.ts';

/** The `Retry-After` of an upgrade that a quota refuses, ms. [contract 17] */
const OVER_QUOTA_RETRY_MS = 5000;

type AdmissionServices = Pick<Services, 'config' | 'lifecycle' | 'load' | 'redis' | 'userSessions'>;

/** The share of one connection in both quotas. */
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
    /** Counts an admitted connection for its user too. */
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
  if (isTooBusy({ load, busyAfterMs: config.busyAfterMs }, { needsSql: false, isOngoing: true })) throw tooBusy();
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
