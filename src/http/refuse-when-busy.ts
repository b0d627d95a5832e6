// Refuses new work while the process is overloaded (load shedding). Requests that continue a quiz or a game are refused
// later than those that begin one. Health checks, messages of sockets and running games are never refused. [contract 1]
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import { type Load, refusedBusy } from '../platform/overload/load.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route continues something that has begun, and is refused only at `ONGOING_FACTOR` times the load. */
    isOngoing?: boolean;
  }
}

export interface BusyDeps {
  load: Load;
  /** New work that would wait for longer is refused, ms. */
  busyAfterMs: number;
}

/** Requests that continue something may wait this many times as long as new work. */
const ONGOING_FACTOR = 2;

/**
 * @param needsSql whether a request needs PostgreSQL, and so may wait for a connection too
 * @returns an onRequest hook that throws UNAVAILABLE under overload
 */
export function refuseNewWhenBusy(
  deps: BusyDeps,
  needsSql: (request: FastifyRequest) => boolean,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const { isOngoing = false } = request.routeOptions.config;
    // The first condition is nearly always false, so that `needsSql`, which may be slow, is seldom called.
    const isRefused =
      isTooBusy(deps, { needsSql: true, isOngoing }) && isTooBusy(deps, { needsSql: needsSql(request), isOngoing });
    done(isRefused ? tooBusy() : undefined);
  };
}

/** @returns whether one more request would wait too long */
export function isTooBusy(
  { load, busyAfterMs }: BusyDeps,
  { needsSql, isOngoing }: { needsSql: boolean; isOngoing: boolean },
): boolean {
  return load.waitMs(needsSql) > busyAfterMs * (isOngoing ? ONGOING_FACTOR : 1);
}

/** Counts a refusal. @returns the error to throw */
export function tooBusy(): AppError {
  refusedBusy.inc();
  return new AppError('UNAVAILABLE', 'There is too much to do at the moment. Try again shortly.');
}
