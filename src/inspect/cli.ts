// npm run inspect -- CODE: prints a lobby's life.
import { ConfigError } from '../config.ts';
import { parseCode } from '../lobby/rules.ts';
import { findStores } from '../local-stack/store-addresses.ts';
import { createClock } from '../match/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { isOutage } from '../platform/outage.ts';
import { connectPostgres } from '../platform/postgres.ts';
import { connectRedis } from '../platform/redis.ts';
import { createRedisClock } from '../platform/redis-clock.ts';
import { reportLobby } from './lobby-report.ts';

const USAGE = `Usage: npm run inspect -- CODE
    Prints a lobby's state and its events: times, lateness, which process did what.
    DATABASE_URL and REDIS_URL name the stores; without them, those of the "npm run dev" here.`;

/** @returns the process's exit code */
async function main([text, ...surplus]: string[]): Promise<number> {
  if (!text || surplus.length > 0) {
    console.error(USAGE);
    return 1;
  }
  const code = parseCode(text);
  if (!code) {
    console.error(`A lobby code has six letters and digits.`);
    return 1;
  }
  const { databaseUrl, redis: address } = findStores();
  if (!databaseUrl || !address) {
    console.error('Which stores? Set DATABASE_URL and REDIS_URL, or start "npm run dev" here.');
    return 1;
  }
  const logger = createLogger('silent', 'inspect');
  const db = connectPostgres(databaseUrl, 2);
  const redis = connectRedis(address, 'commands', logger);
  const redisClock = createRedisClock(redis);
  const clock = createClock({ redis, logger, nowMs: redisClock.nowMs }, 1);
  try {
    await redis.ping();
    const lines = await reportLobby({ db, redis, clock, nowMs: redisClock.nowMs }, code);
    if (lines) console.log(lines.join('\n'));
    else console.error(`No lobby and no result has the code ${code}.`);
    return lines ? 0 : 1;
  } finally {
    redisClock.stop();
    await clock.close();
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
  process.exitCode = 1;
}
