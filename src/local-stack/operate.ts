// What an operator's commands have in common: the stores that they work on, and how they tell what went
// wrong.
import { ConfigError } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import { isOutage } from '../platform/outage.ts';
import { connectPostgres, type Database } from '../platform/postgres.ts';
import { connectRedis, type RedisClient } from '../platform/redis.ts';
import { createRedisClock } from '../platform/redis-clock.ts';
import { findStores } from './store-addresses.ts';

const CONNECTIONS_MAX = 2;

export interface OpenStores {
  db: Database;
  redis: RedisClient;
  logger: Logger;
  /** The Redis server's time, ms. */
  nowMs(): number;
  lobbyIdleTtlSeconds: number;
}

/**
 * Opens the stores for a piece of work, and closes them after it.
 * @throws ConfigError when nobody says which stores
 */
export async function withStores<T>(
  logger: Logger,
  work: (stores: OpenStores) => Promise<T>,
): Promise<T> {
  const { databaseUrl, redis: address, lobbyIdleTtlSeconds } = findStores();
  if (!databaseUrl || !address)
    throw new ConfigError([
      'Which stores? Set DATABASE_URL and REDIS_URL, or start "npm run dev" here.',
    ]);
  const db = connectPostgres(databaseUrl, CONNECTIONS_MAX);
  const redis = connectRedis(address, 'commands', logger);
  const { nowMs, stop } = createRedisClock(redis);
  try {
    await redis.ping();
    return await work({ db, redis, logger, nowMs, lobbyIdleTtlSeconds });
  } finally {
    stop();
    redis.disconnect();
    await db.$disconnect();
  }
}

/**
 * Runs a command; what an operator can mend is told in a line.
 * @param main returns the process's exit code
 * @param exitCodes for a setting that can't be used, and for a store that is away
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
