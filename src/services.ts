// The composition root: everything that an API replica or a worker holds, made once, stopped in
// reverse order. No feature imports this file; a use case declares what it needs.
import { deleteAccount } from './accounts/delete-account.ts';
import { handOver } from './accounts/hand-over.ts';
import { type Auth, createAuth } from './auth/auth.ts';
import { createMailQueue, type MailQueue } from './auth/mail-queue.ts';
import { createSessionCache, type SessionCache } from './auth/session-cache.ts';
import { createUserSessions, type UserSessions } from './auth/user-sessions.ts';
import type { Config } from './config.ts';
import { type CodeMisses, createCodeMisses } from './lobby/code-misses.ts';
import { eventWriter } from './lobby/event-log.ts';
import { createOwedStates, type OwedStates } from './lobby/owed-states.ts';
import { type Clock, createClock } from './match/clock.ts';
import { createWaits, type Load, measureLoad } from './platform/load.ts';
import type { Logger } from './platform/logger.ts';
import { connectPostgres, type Database } from './platform/postgres.ts';
import { randomInt } from './platform/random.ts';
import { connectRedis, type RedisClient } from './platform/redis.ts';
import { createRedisClock } from './platform/redis-clock.ts';
import { createStoreChecks, type StoreChecks } from './platform/store-checks.ts';
import { createStoreProbes } from './platform/store-probes.ts';
import { followChanges } from './vocabulary/changes.ts';
import { createPools, type Pools } from './vocabulary/pools.ts';

/** What both processes share. */
export interface Services {
  config: Config;
  logger: Logger;
  db: Database;
  /** For commands; a command that waits longer than 1.5 s fails. */
  redis: RedisClient;
  /** For subscriptions alone. */
  subscriber: RedisClient;
  /** The Redis server's time, ms: what deadlines are by. */
  nowMs(): number;
  /**
   * Which process this is, in the logs of lobbies: its host and process id, as each of its log lines
   * has them; on Kubernetes the host is the pod. A restarted container may have its name again.
   */
  processName: string;
  /** How long a lobby's keys outlive the last sign of life. */
  lobbyTtlMs: number;
  /** What is to be told in a moment of who is in a lobby. */
  owedStates: OwedStates;
  /** A round's time where a lobby is created without one. */
  roundDurationMs: number;
  /** How long what is begun now would wait in this process. */
  load: Load;
  /** How the stores are, for health, the metrics and the log. */
  storeChecks: StoreChecks;
  /** The clocks of the running games. */
  clock: Clock;
  /** How often each user was wrong about a lobby's code. */
  codeMisses: CodeMisses;
  /** For emails about accounts. */
  mailQueue: MailQueue;
  auth: Auth;
  userSessions: UserSessions;
  sessionCache: SessionCache;
  /** The decks in memory, for questions without SQL. */
  pools: Pools;
  /** Set by the first signal: health says so, and load balancers look elsewhere. */
  lifecycle: { draining: boolean };
  /** Closes everything, in reverse order of creation. */
  stop(): Promise<void>;
}

/** Connects to the stores and builds what stands on them; the stores may still be away. */
export function createServices(config: Config, logger: Logger): Services {
  const poolWaits = createWaits();
  const load = measureLoad(poolWaits);
  const db = connectPostgres(config.database.url, config.database.poolMax, poolWaits);
  const redis = connectRedis(config.redis, 'commands', logger);
  const storeChecks = createStoreChecks(createStoreProbes({ db, redis }), logger);
  const sessionCache = createSessionCache(redis, db);
  const pools = createPools({ db, logger, random: randomInt });
  const subscriber = connectRedis(config.redis, 'subscriber', logger);
  followChanges(subscriber, pools.invalidate);
  const redisClock = createRedisClock(redis);
  const queueDeps = { redis, logger, nowMs: redisClock.nowMs };
  const mailQueue = createMailQueue(queueDeps);
  const clock = createClock(queueDeps, config.clockQueues);
  const writer = eventWriter(config.lobbyIdleTtlSeconds);
  const live = {
    ...writer,
    owedStates: createOwedStates(redis, writer),
    db,
    redis,
    logger,
    clock,
    sessionCache,
    roundDurationMs: config.roundDurationMs,
    nowMs: redisClock.nowMs,
  };
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
    mailQueue,
    auth,
    userSessions: createUserSessions(auth, sessionCache),
    pools,
    lifecycle: { draining: false },
    async stop() {
      load.stop();
      storeChecks.stop();
      await live.owedStates.stop();
      await mailQueue.close();
      await clock.close();
      redisClock.stop();
      subscriber.disconnect();
      redis.disconnect();
      await db.$disconnect();
    },
  };
}
