// Creates what replicas and workers have in common. services.ts adds what a replica alone needs; a worker does not
// import that file, since the packages behind accounts and HTTP would take a third of its memory.
import { randomInt } from 'node:crypto';
import { createMailQueue, type MailQueue } from './auth/mail/mail-queue.ts';
import { createSessionCache, type SessionCache } from './auth/sessions/secondary-storage.ts';
import type { Config } from './config.ts';
import { createLobbyWriter } from './lobby/event-log.ts';
import { type Clock, createClock } from './match/clock/clock.ts';
import type { Logger } from './platform/observability/logger.ts';
import { createStoreChecks, createStoreProbes, type StoreChecks } from './platform/outages/store-checks.ts';
import { createWaits, logStalls, type Waits } from './platform/overload/load.ts';
import { connectPostgres, type Database, type PostgresPool } from './platform/postgres/postgres.ts';
import { connectionName, type Program } from './platform/redis/processes.ts';
import { connectRedis, createRedisClock, type RedisClient } from './platform/redis/redis.ts';

export interface CommonServices extends ReturnType<typeof createLobbyWriter> {
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
  roundDurationMs: number;
  storeChecks: StoreChecks;
  clock: Clock;
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
  const lobbyWriter = createLobbyWriter(redis, config.lobbyIdleTtlSeconds);
  return {
    ...lobbyWriter,
    config,
    logger,
    db,
    postgres,
    poolWaits,
    queueRedis,
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
      await lobbyWriter.pendingAnnouncements.flush();
      await mailQueue.close();
      await clock.close();
      redisClock.stop();
      queueRedis.disconnect();
      redis.disconnect();
      await db.$disconnect();
    },
  };
}
