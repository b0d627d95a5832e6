// Refuses new work while the process is overloaded (load shedding). Requests that continue a quiz or a game are refused
// later than those that begin one. Health checks, messages of sockets and running games are never refused. [contract 1]
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { refusedBusy } from '../platform/overload/load.ts';
import type { Services } from '../services.ts';

/**
 * What overload refuses: `new` work that needs Redis alone, and `new-sql`, which may wait for a connection to PostgreSQL
 * too. `ongoing` continues something that has begun, and is refused only at `ONGOING_FACTOR` times the load.
 */
export type LoadKind = 'new' | 'new-sql' | 'ongoing';

/** How long a request would wait, and beyond which wait, in ms, new work is refused. */
type Busyness = Pick<Services, 'load'> & Pick<Config, 'busyAfterMs'>;

/** Requests that continue something may wait this many times as long as new work. */
const ONGOING_FACTOR = 2;

/**
 * @param kindOf returns the kind of a request; without it, it is that of its operation
 * @returns an onRequest hook that throws UNAVAILABLE under overload
 */
export function refuseNewWhenBusy(
  busyness: Busyness,
  kindOf: (request: FastifyRequest) => LoadKind | undefined = (request) => request.routeOptions.config.operation?.load,
): onRequestHookHandler {
  return (request, _reply, done) => {
    // This condition is nearly always false, so that `kindOf`, which may be slow, is seldom called.
    if (!isTooBusy(busyness, { needsSql: true, isOngoing: false })) return done();
    const kind = kindOf(request);
    const isRefused = kind && isTooBusy(busyness, { needsSql: kind === 'new-sql', isOngoing: kind === 'ongoing' });
    done(isRefused ? tooBusy() : undefined);
  };
}

/** @returns whether one more request would wait too long */
export function isTooBusy(
  { load, busyAfterMs }: Busyness,
  { needsSql, isOngoing }: { needsSql: boolean; isOngoing: boolean },
): boolean {
  return load.waitMs(needsSql) > busyAfterMs * (isOngoing ? ONGOING_FACTOR : 1);
}

/** Counts a refusal. @returns the error to throw */
export function tooBusy(): AppError {
  refusedBusy.inc();
  return new AppError('UNAVAILABLE', 'There is too much to do at the moment. Try again shortly.');
}
