// Measures PostgreSQL's limited resources for alerts: connections, disk, and long locks. Every worker reports
// the same values, so that queries must take the maximum.
import { gauge } from '../src/platform/observability/metrics.ts';
import type { Database } from '../src/platform/postgres/postgres.ts';

/**
 * A statement that has waited for a lock for this many seconds counts as blocked. That is half of the
 * statement timeout, and longer than most attempts of a migration.
 */
const BLOCKED_AFTER_S = 0.6;
/** A session that has blocked nobody for this many ms no longer counts as a blocker. */
const FORGOTTEN_AFTER_MS = 30_000;

const backends = gauge('quiz_postgres_backends', 'Connections to the PostgreSQL server, by anybody.');
const backendsLimit = gauge('quiz_postgres_backends_limit', 'Its max_connections.');
const blocked = gauge(
  'quiz_postgres_blocked_seconds',
  'For how long the same session has blocked statements of others, or has locked a whole table.',
);
const bytes = gauge('quiz_postgres_bytes', 'All databases of the server on its disk, without its log.');

/** Reads the values anew. Any role may read them; while PostgreSQL is away, the metrics have no values. */
export async function measurePostgres(db: Database): Promise<void> {
  for (const metric of [backends, backendsLimit, blocked, bytes]) metric.remove();
  // A role can't read the size of a database to which it may not connect.
  const [row] = await db.$queryRaw<Measurements[]>`
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS backends,
      current_setting('max_connections')::int AS "backendsLimit",
      ARRAY(SELECT DISTINCT unnest(pg_blocking_pids(pid)) FROM pg_locks
             WHERE NOT granted
               AND waitstart < clock_timestamp() - make_interval(secs => ${BLOCKED_AFTER_S})
            -- A session that locks a whole table blocks others even when none waits at this moment, since the
            -- service refuses requests for a while after the first waits.
            UNION SELECT pid FROM pg_locks
             WHERE granted AND mode = 'AccessExclusiveLock' AND locktype = 'relation'
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            ) AS blockers,
      (SELECT sum(pg_database_size(oid)) FROM pg_database
        WHERE has_database_privilege(oid, 'CONNECT'))::float8 AS bytes`;
  if (!row) return;
  backends.set(row.backends);
  backendsLimit.set(row.backendsLimit);
  blocked.set(blockedSeconds(row.blockers));
  bytes.set(row.bytes);
}

interface Measurements {
  backends: number;
  backendsLimit: number;
  /** The process ids of the sessions that block others. */
  blockers: number[];
  bytes: number;
}

/** The first and the last time at which each session was seen to block others. */
const sightings = new Map<number, { firstMs: number; lastMs: number }>();

/**
 * @returns for how long one session has blocked others: from its first to its last sighting, since PostgreSQL
 *   cancels each waiting statement soon
 */
function blockedSeconds(blockers: number[]): number {
  const nowMs = performance.now();
  for (const pid of blockers) {
    const { firstMs = nowMs } = sightings.get(pid) ?? {};
    sightings.set(pid, { firstMs, lastMs: nowMs });
  }
  for (const [pid, { lastMs }] of sightings) if (nowMs - lastMs > FORGOTTEN_AFTER_MS) sightings.delete(pid);
  const spans = [...sightings.values()].map(({ firstMs, lastMs }) => lastMs - firstMs);
  return Math.max(0, ...spans) / 1000;
}
