// The shared part of the operator's commands: it connects to the stores and reports errors.
import { ConfigError } from '../../config.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { isOutage } from '../../platform/outages/outage.ts';
import { connectPostgres, type Database } from '../../platform/postgres/postgres.ts';
import type { PostgresPool } from '../../platform/postgres/postgres-pool.ts';
import { connectRedis, createRedisClock, type RedisClient } from '../../platform/redis/redis.ts';
import { findStores } from './store-addresses.ts';

const CONNECTIONS_MAX = 2;

export interface OpenStores {
  db: Database;
  /** The connections that `db` uses. */
  postgres: PostgresPool;
  redis: RedisClient;
  /** The connection for adding jobs to queues. */
  queueRedis: RedisClient;
  logger: Logger;
  /** The Redis server's time, ms. */
  nowMs(): number;
  lobbyIdleTtlSeconds: number;
  clockQueues: number;
}

/**
 * Connects to the stores, runs a function, and disconnects.
 * @throws ConfigError if no stores are configured
 */
export async function withStores<T>(logger: Logger, work: (stores: OpenStores) => Promise<T>): Promise<T> {
  const { databaseUrl, redis: address, lobbyIdleTtlSeconds, clockQueues } = findStores();
  if (!databaseUrl || !address)
    throw new ConfigError(['Which stores? Set DATABASE_URL and REDIS_URL, or start "npm run dev" here.']);
  const { db, postgres } = connectPostgres(databaseUrl, CONNECTIONS_MAX);
  // One connection serves both roles, since a command sends few Redis commands.
  const redis = connectRedis(address, 'queues', logger);
  const { nowMs, stop } = createRedisClock(redis);
  try {
    await redis.ping();
    return await work({ db, postgres, redis, queueRedis: redis, logger, nowMs, lobbyIdleTtlSeconds, clockQueues });
  } finally {
    stop();
    redis.disconnect();
    await db.$disconnect();
  }
}

/**
 * Runs a command. An error that the operator can fix is printed as one line.
 * @param main returns the process's exit code
 * @param exitCodes the exit codes for an invalid setting and for an unreachable store
 */
export async function runCommand(
  main: () => Promise<number>,
  exitCodes: { misused: number; outage: number },
): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isMisused = error instanceof ConfigError;
    if (!isMisused && !isOutage(error)) throw error;
    console.error(isMisused ? error.message : 'A store can’t be reached.');
    process.exitCode = isMisused ? exitCodes.misused : exitCodes.outage;
  }
}
