// What the use cases of a game need.
import type { LiveDeps } from '../lobby/event-log.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import type { Clock } from './clock.ts';

export interface MatchDeps extends LiveDeps {
  db: Database;
  logger: Logger;
  /** The Redis server's time, ms. */
  nowMs(): number;
  /** The clocks of the running games. */
  clock: Pick<Clock, 'hasten'>;
}
