// What PostgreSQL tells of itself, for the alerts on what it runs out of: connections, patience, disk.
// As of all that workers measure, take the maximum of them.
import { gauge } from '../src/platform/metrics.ts';
import type { Database } from '../src/platform/postgres.ts';

const backends = gauge(
  'quiz_postgres_backends',
  'Connections to the PostgreSQL server, by anybody.',
);
const backendsLimit = gauge('quiz_postgres_backends_limit', 'Its max_connections.');
const lockWait = gauge(
  'quiz_postgres_lock_wait_seconds',
  'How long the statement that waits longest for a lock has waited, on the whole server.',
);
const bytes = gauge(
  'quiz_postgres_bytes',
  'All databases of the server on its disk, without its log.',
);

/** Sets them anew. Any role may ask all of this; what can't be asked now is not told. */
export async function measurePostgres(db: Database): Promise<void> {
  for (const metric of [backends, backendsLimit, lockWait, bytes]) metric.remove();
  // Of databases that it may not connect to a role can't ask the size.
  const [told] = await db.$queryRaw<Told[]>`
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS backends,
      current_setting('max_connections')::int AS "backendsLimit",
      (SELECT coalesce(extract(epoch FROM max(clock_timestamp() - waitstart)), 0)
         FROM pg_locks WHERE NOT granted)::float8 AS "lockWaitS",
      (SELECT sum(pg_database_size(oid)) FROM pg_database
        WHERE has_database_privilege(oid, 'CONNECT'))::float8 AS bytes`;
  if (!told) return;
  backends.set(told.backends);
  backendsLimit.set(told.backendsLimit);
  lockWait.set(told.lockWaitS);
  bytes.set(told.bytes);
}

interface Told {
  backends: number;
  backendsLimit: number;
  lockWaitS: number;
  bytes: number;
}
