// What PostgreSQL tells of itself, for the alerts on what it runs out of: connections, patience, disk.
// As of all that workers measure, take the maximum of them.
import { gauge } from '../src/platform/metrics.ts';
import type { Database } from '../src/platform/postgres.ts';

/**
 * For so long a statement has to wait for whoever it waits for to be noted: half of what it may take. Who
 * migrates gives up before, as a rule.
 */
const WAITING_S = 0.6;
/** Whom nobody has been seen to wait for in this time doesn't stand in the way any more. */
const FORGOTTEN_AFTER_MS = 30_000;

const backends = gauge(
  'quiz_postgres_backends',
  'Connections to the PostgreSQL server, by anybody.',
);
const backendsLimit = gauge('quiz_postgres_backends_limit', 'Its max_connections.');
const blocked = gauge(
  'quiz_postgres_blocked_seconds',
  'For how long one and the same session has been seen to hold up statements of others, or a whole table.',
);
const bytes = gauge(
  'quiz_postgres_bytes',
  'All databases of the server on its disk, without its log.',
);

/** Sets them anew. Any role may ask all of this; what can't be asked now is not told. */
export async function measurePostgres(db: Database): Promise<void> {
  for (const metric of [backends, backendsLimit, blocked, bytes]) metric.remove();
  // Of databases that it may not connect to a role can't ask the size.
  const [told] = await db.$queryRaw<Told[]>`
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS backends,
      current_setting('max_connections')::int AS "backendsLimit",
      ARRAY(SELECT DISTINCT unnest(pg_blocking_pids(pid)) FROM pg_locks
             WHERE NOT granted
               AND waitstart < clock_timestamp() - make_interval(secs => ${WAITING_S})
            -- Who holds a whole table, whether or not somebody waits for it at this moment: after the
            -- first waits what needs it is refused.
            UNION SELECT pid FROM pg_locks
             WHERE granted AND mode = 'AccessExclusiveLock' AND locktype = 'relation'
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            ) AS blockers,
      (SELECT sum(pg_database_size(oid)) FROM pg_database
        WHERE has_database_privilege(oid, 'CONNECT'))::float8 AS bytes`;
  if (!told) return;
  backends.set(told.backends);
  backendsLimit.set(told.backendsLimit);
  blocked.set(blockedSeconds(told.blockers));
  bytes.set(told.bytes);
}

interface Told {
  backends: number;
  backendsLimit: number;
  /** The process ids of those who hold others up. */
  blockers: number[];
  bytes: number;
}

/** Who holds others up, and when that was seen first and last. */
const sightings = new Map<number, { firstMs: number; lastMs: number }>();

/**
 * A statement that waits is given up soon, so that no wait is long, however long the lock is held: what
 * tells is that one holder is seen again and again.
 */
function blockedSeconds(blockers: number[]): number {
  const nowMs = performance.now();
  for (const pid of blockers) {
    const { firstMs = nowMs } = sightings.get(pid) ?? {};
    sightings.set(pid, { firstMs, lastMs: nowMs });
  }
  for (const [pid, { lastMs }] of sightings)
    if (nowMs - lastMs > FORGOTTEN_AFTER_MS) sightings.delete(pid);
  const spans = [...sightings.values()].map(({ firstMs, lastMs }) => lastMs - firstMs);
  return Math.max(0, ...spans) / 1000;
}
