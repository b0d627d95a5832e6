// Measures the state of the whole service by reading the stores: queues, running games, and the stores' limited
// resources. Every worker reports the same values, so that queries must take the maximum and not the sum.
import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { MAIL_QUEUE, MAIL_REQUEST_QUEUE } from '../src/auth/mail/mail-queue.ts';
import type { CommonServices } from '../src/common-services.ts';
import { CLOCK_QUEUE, type ClockJob, clockPlaces } from '../src/match/clock/clock.ts';
import { gauge, readOnScrape } from '../src/platform/observability/metrics.ts';
import type { Database } from '../src/platform/postgres/postgres.ts';
import { type Consumer, createQueue, type QueuePlace } from '../src/platform/queues/queue.ts';
import { mastersOf } from '../src/platform/redis/redis.ts';
import { infoField } from '../src/platform/redis/redis-check.ts';
import { CHORES_QUEUE } from './maintain.ts';

const jobs = gauge('quiz_queue_jobs', 'Jobs of a queue, by state.', ['queue', 'state']);
const lag = gauge('quiz_queue_lag_seconds', 'For how long the oldest due job has waited for a worker.', ['queue']);
const runningGames = gauge('quiz_running_games', 'Games that are running: those that have a clock.');
const redisMemory = gauge(
  'quiz_redis_memory_bytes',
  'Memory of a Redis master: used, and the limit where there is one.',
  ['node', 'kind'],
);
const redisReplicas = gauge('quiz_redis_replicas', 'Replicas of a Redis master that acknowledge its writes in time.', [
  'node',
]);
const redisAppends = gauge(
  'quiz_redis_append_ok',
  'Whether the last write to the append-only file succeeded: 1 or 0; no value without such a file.',
  ['node'],
);

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** How many of the next waiting, and of the next delayed, jobs are read to compute the lag of a queue. */
const LAG_JOBS = 10;

/** The data of a clock contains the due time of the job; that of an email or a chore does not. */
type DueJob = Job<Partial<Pick<ClockJob, 'dueMs'>>>;

/** @param clockQueues the number of queues that share the games' clocks */
export function allQueues(clockQueues: number): QueuePlace[] {
  return [...clockPlaces(clockQueues), MAIL_REQUEST_QUEUE, MAIL_QUEUE, CHORES_QUEUE];
}

export function measure(
  deps: Pick<CommonServices, 'config' | 'db' | 'logger' | 'nowMs' | 'queueRedis' | 'redis'>,
): Consumer {
  const { config, db, nowMs, redis } = deps;
  const queues = allQueues(config.clockQueues).map((place) => createQueue<DueJob['data']>(place, deps));
  // Queues of the same name, such as those of the clocks, are reported as one.
  const groups = [...Map.groupBy(queues, ({ name }) => name)];
  const stop = readOnScrape(() => {
    // While a store is away, its metrics have no values.
    for (const metric of [jobs, lag, redisMemory, redisReplicas, redisAppends]) metric.reset();
    for (const metric of [runningGames, backends, backendsLimit, blocked, bytes]) metric.remove();
    return Promise.allSettled([
      ...groups.map(([name, group]) => measureQueues(name, group, nowMs)),
      measurePostgres(db),
      mastersOf(redis).then((masters) => Promise.allSettled(masters.map(measureRedis))),
    ]);
  });
  return {
    async close() {
      stop();
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

async function measureQueues(queue: string, group: Queue<DueJob['data']>[], nowMs: () => number): Promise<void> {
  const [counts, next] = await Promise.all([
    Promise.all(group.map((one) => one.getJobCounts(...STATES))),
    Promise.all(group.flatMap((one) => [one.getWaiting(0, LAG_JOBS - 1), one.getDelayed(0, LAG_JOBS - 1)])),
  ]);
  const count = (state: (typeof STATES)[number]) => counts.reduce((sum, of) => sum + (of[state] ?? 0), 0);
  for (const state of STATES) jobs.set({ queue, state }, count(state));
  // Every running game has one clock, and counting its job is cheaper than counting rows in PostgreSQL.
  if (queue === CLOCK_QUEUE) runningGames.set(count('waiting') + count('active') + count('delayed'));
  const now = nowMs();
  const lags = next.flat().map((job) => now - (dueMsOf(job) ?? now));
  lag.set({ queue }, Math.max(0, ...lags) / 1000);
}

/** @returns when a job was due; undefined for a retried job, whose time BullMQ does not store */
function dueMsOf({ data, timestamp, opts, attemptsStarted }: DueJob): number | undefined {
  if (data.dueMs !== undefined) return data.dueMs;
  return attemptsStarted > 0 ? undefined : timestamp + (opts.delay ?? 0);
}

/** A replica that has not acknowledged for this many seconds counts as missing: it would lose writes. */
const LAG_MAX_S = 10;

async function measureRedis(redis: Redis): Promise<void> {
  const { host, name, port } = redis.options;
  // Behind Sentinels the primary is identified by its name, whichever server it is.
  const node = name ?? `${host}:${port}`;
  const info = await redis.info();
  const limit = Number(infoField(info, 'maxmemory') ?? 0);
  redisMemory.set({ node, kind: 'used' }, Number(infoField(info, 'used_memory') ?? 0));
  if (limit > 0) redisMemory.set({ node, kind: 'limit' }, limit);
  const lags = [...info.matchAll(/^slave\d+:.*\bstate=online\b.*\blag=(\d+)/gm)];
  redisReplicas.set({ node }, lags.filter(([, lagS]) => Number(lagS) <= LAG_MAX_S).length);
  if (infoField(info, 'aof_enabled') !== '1') return;
  redisAppends.set({ node }, infoField(info, 'aof_last_write_status') === 'ok' ? 1 : 0);
}

/** A statement that has waited for a lock for so long counts as blocked: longer than most attempts of a migration. */
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

/** Any role may read the values. */
async function measurePostgres(db: Database): Promise<void> {
  // A role can't read the size of a database to which it may not connect.
  const [row] = await db.$queryRaw<{ backends: number; backendsLimit: number; blockers: number[]; bytes: number }[]>`
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

/** The first and the last time at which each session was seen to block others. */
const sightings = new Map<number, { firstMs: number; lastMs: number }>();

/** @returns for how long one session has blocked others, since PostgreSQL cancels each waiting statement soon */
function blockedSeconds(blockers: number[]): number {
  const nowMs = performance.now();
  for (const pid of blockers) sightings.set(pid, { firstMs: sightings.get(pid)?.firstMs ?? nowMs, lastMs: nowMs });
  for (const [pid, { lastMs }] of sightings) if (nowMs - lastMs > FORGOTTEN_AFTER_MS) sightings.delete(pid);
  const spans = [...sightings.values()].map(({ firstMs, lastMs }) => lastMs - firstMs);
  return Math.max(0, ...spans) / 1000;
}
