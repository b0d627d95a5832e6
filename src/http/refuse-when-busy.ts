// Refuses new work while the process is overloaded (load shedding). Health checks, messages of sockets and running
// games are never refused. [contract 1]
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { counter } from '../platform/observability/metrics.ts';
import type { Services } from '../services.ts';

/** `new` work needs Redis alone, `new-sql` also a connection to PostgreSQL; `ongoing` work may wait longer. */
export type LoadKind = 'new' | 'new-sql' | 'ongoing';

type Busyness = Pick<Services, 'load'> & Pick<Config, 'busyAfterMs'>;
const ONGOING_FACTOR = 2;

/** @param kindOf returns the kind of a request; by default it is that of its operation */
export function refuseNewWhenBusy(
  busyness: Busyness,
  kindOf: (request: FastifyRequest) => LoadKind | undefined = (request) => request.routeOptions.config.operation?.load,
): onRequestHookHandler {
  return (request, _reply, done) => {
    // The kind that is refused first is hardly ever refused, so that `kindOf`, which may be slow, is seldom called.
    if (!isTooBusy(busyness, 'new-sql')) return done();
    const kind = kindOf(request);
    done(kind && isTooBusy(busyness, kind) ? tooBusy() : undefined);
  };
}

/** @returns whether one more request of this kind would wait too long */
export function isTooBusy({ load, busyAfterMs }: Busyness, kind: LoadKind): boolean {
  return load.waitMs(kind === 'new-sql') > busyAfterMs * (kind === 'ongoing' ? ONGOING_FACTOR : 1);
}

const refusedBusy = counter('quiz_refused_busy_total', 'Requests and sockets that a busy process refused with 503.');

/** Counts a refusal. @returns the error to throw */
export function tooBusy(): AppError {
  refusedBusy.inc();
  return new AppError('UNAVAILABLE', 'There is too much to do at the moment. Try again shortly.');
}
