// npm run accounts -- sign-out EMAIL | delete EMAIL: what an operator does for, or to, a user.
import { hostname } from 'node:os';
import { createSessionCache } from '../auth/session-cache.ts';
import { ConfigError } from '../config.ts';
import { lobbyTtlMs } from '../lobby/event-log.ts';
import { findStores } from '../local-stack/store-addresses.ts';
import { createLogger } from '../platform/logger.ts';
import { isOutage } from '../platform/outage.ts';
import { connectPostgres } from '../platform/postgres.ts';
import { connectRedis } from '../platform/redis.ts';
import { createRedisClock } from '../platform/redis-clock.ts';
import { type DeletionDeps, deleteAccount } from './delete-account.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';
import { findUserId } from './store.ts';

const USAGE = `Usage: npm run accounts -- sign-out EMAIL
       npm run accounts -- delete EMAIL
    Ends all sessions of an account, or deletes it; open sockets are closed within a minute.
    DATABASE_URL and REDIS_URL name the stores; without them, those of the "npm run dev" here.
    Ends with 0: done, 1: no such account, 2: used wrongly, 3: a store is away.`;

const COMMANDS: Record<string, (deps: DeletionDeps, userId: string) => Promise<string>> = {
  async 'sign-out'(deps, userId) {
    return `Signed out: ${await signOutEverywhere(deps, userId)} session(s).`;
  },
  async delete(deps, userId) {
    await deleteAccount(deps, userId);
    return 'Deleted.';
  },
};

/** @returns the process's exit code */
async function main([name = '', email = '', ...surplus]: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || !email || surplus.length > 0) {
    console.error(USAGE);
    return 2;
  }
  const { databaseUrl, redis: address, lobbyIdleTtlSeconds } = findStores();
  if (!databaseUrl || !address) {
    console.error('Which stores? Set DATABASE_URL and REDIS_URL, or start "npm run dev" here.');
    return 2;
  }
  const logger = createLogger('info', 'accounts', process.stderr);
  const db = connectPostgres(databaseUrl, 2);
  const redis = connectRedis(address, 'commands', logger);
  const redisClock = createRedisClock(redis);
  try {
    const userId = await findUserId(db, email);
    if (!userId) {
      console.error('No account has this address.');
      return 1;
    }
    const deps = {
      ...{ db, redis, logger, nowMs: redisClock.nowMs },
      sessionCache: createSessionCache(redis, db),
      processName: `${hostname()}/${process.pid}`,
      lobbyTtlMs: lobbyTtlMs(lobbyIdleTtlSeconds),
    };
    await redis.ping();
    console.log(await command(deps, userId));
    return 0;
  } finally {
    redisClock.stop();
    redis.disconnect();
    await db.$disconnect();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof ConfigError) console.error(error.message);
  else if (isOutage(error)) console.error('A store can’t be reached.');
  else throw error;
  process.exitCode = error instanceof ConfigError ? 2 : 3;
}
