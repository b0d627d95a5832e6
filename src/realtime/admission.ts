// Admission decides whether an upgrade gets a socket. It refuses in the contract's order, each time by an
// ordinary HTTP response. The route has already refused a request that is no upgrade. [contract 5, 17]
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { SessionUser } from '../auth/sessions/user-sessions.ts';
import { AppError } from '../errors.ts';
import type { CountedNetwork } from '../http/client-address.ts';
import { allowedOrigins } from '../http/edge/security.ts';
import { isTooBusy, tooBusy } from '../http/refuse-when-busy.ts';
import { isOutage } from '../platform/outages/outage.ts';
import type { Services } from '../services.ts';
import { realtimeMetrics } from './metrics.ts';
import { createAddressQuota, createUserQuota, type SocketLease } from './socket-quota.ts';

/** The `Retry-After` of an upgrade that a quota refuses, ms. [contract 17] */
const OVER_QUOTA_RETRY_MS = 5000;

declare module 'fastify' {
  interface FastifyRequest {
    socketUser: SessionUser | null;
  }
}

type AdmissionServices = Pick<Services, 'config' | 'lifecycle' | 'load' | 'redis' | 'userSessions'>;

export interface Admission {
  /** Sets `request.socketUser`, and counts the socket in both quotas until its connection ends. */
  admit(request: FastifyRequest): Promise<void>;
  /** Releases the leases of all sockets, before they are closed. */
  stop(): Promise<void>;
}

/** The share of one connection in both quotas. */
interface QuotaShare {
  networks: CountedNetwork[];
  lease: SocketLease | null;
}

export function createAdmission(services: AdmissionServices): Admission {
  const { config } = services;
  const origins = allowedOrigins(config.auth.publicUrl, config.corsOrigins);
  const addressQuota = createAddressQuota(config.sockets.perAddress);
  const userQuota = createUserQuota(services.redis, config.sockets.perUser);
  const shares = new WeakMap<Duplex, QuotaShare>();

  /** The share is released when the TCP connection closes, even if the upgrade was refused. */
  function release(this: Duplex): void {
    const { networks, lease } = shares.get(this) as QuotaShare;
    addressQuota.release(networks);
    if (lease) userQuota.release(lease);
  }

  return {
    async admit(request) {
      refuseOthers(services, origins, request);
      const { socket } = request.raw;
      const networks = addressQuota.acquire(request.clientAddress) ?? refuseOverQuota('address');
      const share: QuotaShare = { networks, lease: null };
      shares.set(socket, share);
      if (socket.closed) release.call(socket);
      else socket.on('close', release);
      const user = await findUser(services, request);
      if (!user) throw new AppError('UNAUTHENTICATED');
      const lease = (await userQuota.acquire(user.id)) ?? refuseOverQuota('user');
      if (socket.closed) userQuota.release(lease);
      else share.lease = lease;
      request.socketUser = user;
    },
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
