// Who gets a socket: every refusal of an upgrade, in the contract's order, as a plain HTTP answer. What
// is no address of a socket has been refused before. [contract 5, 17]
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { SessionUser, UserSessions } from '../auth/user-sessions.ts';
import { AppError } from '../errors.ts';
import { type BusyDeps, isTooBusy, tooBusy } from '../http/refuse-when-busy.ts';
import { isOutage } from '../platform/outage.ts';
import type { RedisClient } from '../platform/redis.ts';
import { realtimeMetrics } from './metrics.ts';
import { createAddressPlaces } from './places/address-places.ts';
import type { Place } from './places/store.ts';
import { createUserPlaces } from './places/user-places.ts';

/** [contract 17: `Retry-After: 5`] */
const NO_PLACE_RETRY_MS = 5000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks for a socket; set before the upgrade. */
    socketUser: SessionUser | null;
  }
}

export interface AdmissionDeps extends BusyDeps {
  redis: RedisClient;
  userSessions: UserSessions;
  lifecycle: { readonly draining: boolean };
  /** Origins whose pages may connect. */
  allowedOrigins: string[];
  /** Open sockets at most: of one user over all replicas, of one client address on this one. */
  socketLimits: { perUser: number; perAddress: number };
}

export interface Admission {
  /** Sets `request.socketUser`, and holds the socket's places until its connection ends. */
  admit(request: FastifyRequest): Promise<void>;
  /** For when all sockets are about to be closed: frees their users' places. */
  stop(): Promise<void>;
}

/** What a connection holds. */
interface Places {
  address: string;
  user: Place | null;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const addressPlaces = createAddressPlaces(deps.socketLimits.perAddress);
  const userPlaces = createUserPlaces(deps.redis, deps.socketLimits.perUser);
  const held = new WeakMap<Duplex, Places>();

  /** Whatever becomes of the upgrade, its places are free when the connection is closed. */
  function free(this: Duplex): void {
    const { address, user } = held.get(this) as Places;
    addressPlaces.free(address);
    if (user) userPlaces.free(user);
  }

  return {
    async admit(request) {
      refuseOthers(deps, request);
      const { socket } = request.raw;
      const address = addressPlaces.take(request.ip) ?? refuseForWantOfPlace('address');
      const places: Places = { address, user: null };
      held.set(socket, places);
      if (socket.closed) free.call(socket);
      else socket.on('close', free);
      const user = await findUser(deps, request);
      if (!user) throw new AppError('UNAUTHENTICATED');
      const place = (await userPlaces.take(user.id)) ?? refuseForWantOfPlace('user');
      if (socket.closed) userPlaces.free(place);
      else places.user = place;
      request.socketUser = user;
    },
    stop: userPlaces.stop,
  };
}

function refuseOthers(deps: AdmissionDeps, request: FastifyRequest): void {
  const { allowedOrigins, lifecycle } = deps;
  const { origin } = request.headers;
  if (origin !== undefined && !allowedOrigins.includes(origin)) {
    throw new AppError('FORBIDDEN_ORIGIN', 'Pages of this origin may not connect.');
  }
  if (lifecycle.draining) {
    throw new AppError('UNAVAILABLE', 'This replica is being stopped. Connect again.');
  }
  // Whoever comes back to a game opens one.
  if (isTooBusy(deps, { needsSql: false, isOngoing: true })) throw tooBusy();
}

function refuseForWantOfPlace(of: 'address' | 'user'): never {
  realtimeMetrics.limited.inc({ limit: of });
  throw new AppError('RATE_LIMITED', `This ${of} has too many sockets open.`, {
    retryAfterMs: NO_PLACE_RETRY_MS,
  });
}

/** [contract 5: the session check fails → 500; 17: while a store is away → 503] */
async function findUser(deps: AdmissionDeps, request: FastifyRequest): Promise<SessionUser | null> {
  try {
    return await deps.userSessions.findUser(request.headers);
  } catch (error) {
    if (isOutage(error)) throw error;
    request.log.error({ err: error }, 'session check failed');
    throw new AppError('INTERNAL_ERROR');
  }
}
