// Creates everything that replicas and workers have in common, and stops it in reverse order. services.ts adds what a
// replica alone needs. A worker does not import that file, since the packages behind accounts and HTTP would take a
// third of its memory.
import { randomInt } from 'node:crypto';
import { createMailQueue, type MailQueue } from './auth/mail/mail-queue.ts';
import { createSessionCache, type SessionCache } from './auth/sessions/secondary-storage.ts';
import type { Config } from './config.ts';
import { createPendingAnnouncements, eventWriter, type PendingAnnouncements } from './lobby/event-log.ts';
import type { LogBudget } from './lobby/log-budget.ts';
import { type Clock, createClock } from './match/clock/clock.ts';
import type { Logger } from './platform/observability/logger.ts';
import { createStoreChecks, createStoreProbes, type StoreChecks } from './platform/outages/store-checks.ts';
import { createWaits, logStalls, type Waits } from './platform/overload/load.ts';
import { connectPostgres, type Database } from './platform/postgres/postgres.ts';
import type { PostgresPool } from './platform/postgres/postgres-pool.ts';
import { connectionName, type Program } from './platform/redis/processes.ts';
import { connectRedis, createRedisClock, type RedisClient } from './platform/redis/redis.ts';

export interface CommonServices {
  config: Config;
  logger: Logger;
  db: Database;
  /** The connections that `db` uses, for statements with values too large for Prisma. */
  postgres: PostgresPool;
  /** The callers that wait for one of these connections. */
  poolWaits: Waits;
  /** The connection for commands, which fail after a second. */
  redis: RedisClient;
  /** The connection over which jobs are added to queues. */
  queueRedis: RedisClient;
  /** @returns a random integer of at least 0 and below `bound` */
  random(bound: number): number;
  /** The Redis server's time, ms since 1970; all deadlines are by it. */
  nowMs(): number;
  /**
   * The name of this process in the logs of lobbies: its host and pid, which its log lines have too. On Kubernetes the
   * host is the pod. A restarted container may get the same name again.
   */
  processName: string;
  /** Bounds the logs of the lobbies of a host, and of a client address. */
  logBudget: LogBudget;
  /** How long the keys of a lobby live after its last activity, ms. */
  lobbyTtlMs: number;
  /** The announcements of changed lobbies that are still to be made. */
  pendingAnnouncements: PendingAnnouncements;
  /** The duration of a round unless a lobby sets another one, ms. */
  roundDurationMs: number;
  /** The state of the stores, for health checks, metrics and logs. */
  storeChecks: StoreChecks;
  /** The clocks of the running games. */
  clock: Clock;
  /** The queue of emails about accounts. */
  mailQueue: MailQueue;
  sessionCache: SessionCache;
  /** The first signal sets `draining`, which health checks report, so that load balancers use other replicas. */
  lifecycle: { draining: boolean };
  /** Closes everything in reverse order of creation. */
  stop(): Promise<void>;
}

/**
 * Connects to the stores, which may still be away, and creates what uses them in replicas and workers.
 * @param program what the process is listed as to operators; without it, it is not listed
 */
export function createCommonServices(config: Config, logger: Logger, program?: Program): CommonServices {
  const stopStallLog = logStalls(logger);
  const { url, poolMax, timeoutMs } = config.database;
  const poolWaits = createWaits();
  const { db, postgres } = connectPostgres(url, poolMax, { waits: poolWaits, timeoutMs });
  const listedAs = program && connectionName(program, config.version);
  const redis = connectRedis(config.redis, 'commands', logger, listedAs);
  const storeChecks = createStoreChecks(createStoreProbes({ db, redis }), logger);
  const redisClock = createRedisClock(redis);
  const queueRedis = connectRedis(config.redis, 'queues', logger);
  const mailQueue = createMailQueue({ queueRedis, logger });
  const clock = createClock({ queueRedis, logger, nowMs: redisClock.nowMs }, config.clockQueues);
  const writer = eventWriter(redis, config.lobbyIdleTtlSeconds);
  const pendingAnnouncements = createPendingAnnouncements(writer);
  return {
    ...writer,
    config,
    logger,
    db,
    postgres,
    poolWaits,
    redis,
    queueRedis,
    pendingAnnouncements,
    storeChecks,
    clock,
    mailQueue,
    random: (bound) => randomInt(bound),
    nowMs: redisClock.nowMs,
    roundDurationMs: config.roundDurationMs,
    sessionCache: createSessionCache(redis, db),
    lifecycle: { draining: false },
    async stop() {
      stopStallLog();
      storeChecks.stop();
      await pendingAnnouncements.flush();
      await mailQueue.close();
      await clock.close();
      redisClock.stop();
      queueRedis.disconnect();
      redis.disconnect();
      await db.$disconnect();
    },
  };
}
