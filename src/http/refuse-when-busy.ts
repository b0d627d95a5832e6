// New work is refused while what is there already waits too long; what is going on is refused last, and
// health, sockets' messages and the games themselves never. [contract 1]
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import { type Load, refusedBusy } from '../platform/load.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It goes on with what is begun: refused only when twice as busy. */
    isOngoing?: boolean;
  }
}

export interface BusyDeps {
  load: Load;
  /** New work that would wait for longer is refused, ms. */
  busyAfterMs: number;
}

/** How much longer than new work what goes on may wait. */
const ONGOING_PATIENCE = 2;

/**
 * @param needsSql whether a request does, and so waits for PostgreSQL too
 * @returns an onRequest hook that throws UNAVAILABLE
 */
export function refuseNewWhenBusy(
  deps: BusyDeps,
  needsSql: (request: FastifyRequest) => boolean,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const { isOngoing = false } = request.routeOptions.config;
    // Nearly always nobody waits, and nothing more is asked.
    const isRefused =
      isTooBusy(deps, { needsSql: true, isOngoing }) &&
      isTooBusy(deps, { needsSql: needsSql(request), isOngoing });
    done(isRefused ? tooBusy() : undefined);
  };
}

/** @returns whether one more would wait too long */
export function isTooBusy(
  { load, busyAfterMs }: BusyDeps,
  { needsSql, isOngoing }: { needsSql: boolean; isOngoing: boolean },
): boolean {
  return load.waitMs(needsSql) > busyAfterMs * (isOngoing ? ONGOING_PATIENCE : 1);
}

/** @returns the refusal, and counts it */
export function tooBusy(): AppError {
  refusedBusy.inc();
  return new AppError('UNAVAILABLE', 'There is too much to do at the moment. Try again shortly.');
}
