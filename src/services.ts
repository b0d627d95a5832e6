// The composition root: creates everything that a replica or a worker holds, and stops it in reverse order. No feature
// imports this file; a use case declares its dependencies.
import { randomInt } from 'node:crypto';
import { deleteAccount } from './accounts/delete-account.ts';
import { handOver } from './accounts/hand-over.ts';
import { type Auth, createAuth } from './auth/auth.ts';
import { createMailQueue, type MailQueue } from './auth/mail/mail-queue.ts';
import { createSessionCache, type SessionCache } from './auth/sessions/session-cache.ts';
import { createUserSessions, type UserSessions } from './auth/sessions/user-sessions.ts';
import type { Config } from './config.ts';
import { type CodeMisses, createCodeMisses } from './lobby/code-misses.ts';
import { eventWriter } from './lobby/event-writer.ts';
import {
  createPendingAnnouncements,
  type PendingAnnouncements,
} from './lobby/pending-announcements.ts';
import { type Clock, createClock } from './match/clock/clock.ts';
import { createStartLimit, type StartLimit } from './match/start-limit.ts';
import type { Logger } from './platform/observability/logger.ts';
import { createStoreChecks, type StoreChecks } from './platform/outages/store-checks.ts';
import { createStoreProbes } from './platform/outages/store-probes.ts';
import { createWaits, type Load, measureLoad } from './platform/overload/load.ts';
import { logStalls } from './platform/overload/stall-log.ts';
import { connectPostgres, type Database } from './platform/postgres/postgres.ts';
import type { PostgresPool } from './platform/postgres/postgres-pool.ts';
import { connectRedis, type RedisClient } from './platform/redis/redis.ts';
import { createRedisClock } from './platform/redis/redis-clock.ts';
import { followChanges } from './vocabulary/changes.ts';
import { createListChecker, type ListChecker } from './vocabulary/lists/list-checker.ts';
import { createPools, type Pools } from './vocabulary/pools.ts';

/** Everything that replicas and workers have in common. */
export interface Services {
  config: Config;
  logger: Logger;
  db: Database;
  /** The connections that `db` uses, for statements with values too large for Prisma. */
  postgres: PostgresPool;
  /** The connection for commands, which fail after a second. */
  redis: RedisClient;
  /** The connection over which jobs are added to queues. */
  queueRedis: RedisClient;
  /** The connection for subscriptions. */
  subscriber: RedisClient;
  /** The Redis server's time, ms since 1970; all deadlines are by it. */
  nowMs(): number;
  /**
   * The name of this process in the logs of lobbies: its host and pid, which its log lines have too. On Kubernetes the
   * host is the pod. A restarted container may get the same name again.
   */
  processName: string;
  /** How long the keys of a lobby live after its last activity, ms. */
  lobbyTtlMs: number;
  /** The announcements of changed lobbies that are still to be made. */
  pendingAnnouncements: PendingAnnouncements;
  /** The duration of a round unless a lobby sets another one, ms. */
  roundDurationMs: number;
  /** How long a request that begins now would wait in this process. */
  load: Load;
  /** The state of the stores, for health checks, metrics and logs. */
  storeChecks: StoreChecks;
  /** The clocks of the running games. */
  clock: Clock;
  /** Counts the wrong lobby codes of each user. */
  codeMisses: CodeMisses;
  /** Limits the number of games that a user starts. */
  startLimit: StartLimit;
  /** The queue of emails about accounts. */
  mailQueue: MailQueue;
  auth: Auth;
  userSessions: UserSessions;
  sessionCache: SessionCache;
  /** Samples of the decks in memory, so that questions need no SQL. */
  pools: Pools;
  /** Checks the bodies of lists in a thread of its own. */
  listChecker: ListChecker;
  /** The first signal sets `draining`, which health checks report, so that load balancers use other replicas. */
  lifecycle: { draining: boolean };
  /** Closes everything in reverse order of creation. */
  stop(): Promise<void>;
}

/** Connects to the stores, which may still be away, and creates everything that uses them. */
export function createServices(config: Config, logger: Logger): Services {
  const poolWaits = createWaits();
  const load = measureLoad(poolWaits);
  const stopStallLog = logStalls(logger);
  const { url, poolMax } = config.database;
  const { db, postgres } = connectPostgres(url, poolMax, poolWaits);
  const redis = connectRedis(config.redis, 'commands', logger);
  const storeChecks = createStoreChecks(createStoreProbes({ db, redis }), logger);
  const sessionCache = createSessionCache(redis, db);
  const pools = createPools({ db, logger, random: randomInt });
  const subscriber = connectRedis(config.redis, 'subscriber', logger);
  followChanges(subscriber, pools.invalidate);
  const redisClock = createRedisClock(redis);
  const queueRedis = connectRedis(config.redis, 'queues', logger);
  const mailQueue = createMailQueue({ queueRedis, logger });
  const clock = createClock({ queueRedis, logger, nowMs: redisClock.nowMs }, config.clockQueues);
  const writer = eventWriter(redis, config.lobbyIdleTtlSeconds);
  const live = {
    ...writer,
    pendingAnnouncements: createPendingAnnouncements(writer),
    db,
    postgres,
    redis,
    queueRedis,
    logger,
    clock,
    sessionCache,
    roundDurationMs: config.roundDurationMs,
    nowMs: redisClock.nowMs,
  };
  const listChecker = createListChecker();
  const auth = createAuth({
    ...live,
    config,
    mailQueue,
    deleteAccount: (userId) => deleteAccount(live, userId),
    handOver: (guestId, accountId) => handOver(db, guestId, accountId),
  });
  return {
    ...live,
    config,
    subscriber,
    load,
    storeChecks,
    codeMisses: createCodeMisses(redis, config.rateLimits),
    startLimit: createStartLimit(redis, config.rateLimits),
    mailQueue,
    auth,
    userSessions: createUserSessions(auth, sessionCache),
    pools,
    listChecker,
    lifecycle: { draining: false },
    async stop() {
      await listChecker.stop();
      load.stop();
      stopStallLog();
      storeChecks.stop();
      await live.pendingAnnouncements.flush();
      await mailQueue.close();
      await clock.close();
      redisClock.stop();
      subscriber.disconnect();
      queueRedis.disconnect();
      redis.disconnect();
      await db.$disconnect();
    },
  };
}
