// The dependencies of a game's use cases.
import type { LiveDeps } from '../lobby/event-log.ts';
import type { Logger } from '../platform/observability/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { PostgresPool } from '../platform/postgres/postgres-pool.ts';
import type { Clock } from './clock/clock.ts';

export interface MatchDeps extends LiveDeps {
  db: Database;
  postgres: Pick<PostgresPool, 'query'>;
  logger: Logger;
  /** The Redis server's time, in ms since 1970. */
  nowMs(): number;
  /** Reschedules and removes the clocks of games. */
  clock: Pick<Clock, 'reschedule' | 'remove'>;
}
