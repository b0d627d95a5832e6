// Refuses a Redis that evicts keys when its memory is full, which loses games, or is too old. The check is repeated,
// since the setting can change while a process runs, and a failover leads to another server. A setting that a managed
// Redis does not tell counts as good.
import type { Redis } from 'ioredis';
import type { Logger } from '../observability/logger.ts';
import { gauge } from '../observability/metrics.ts';
import { isOutage } from '../outages/outage.ts';
import { mastersOf, type RedisClient } from './redis.ts';

const CHECK_EVERY_MS = 5000;

const evicts = gauge('quiz_redis_evicts', 'Whether Redis drops keys when its memory is full: 1, or 0. It must not.');

/** The first version with sharded pub/sub, through which all events travel. Valkey reports 7.2 for all its versions. */
const MIN_MAJOR_VERSION = 7;

/**
 * @param onUnfit is called when the first check fails. A later failure is only logged and raises the metric, since
 *   the running games would be lost for certain if the process ended
 * @returns a function that ends the checks
 */
export function keepCheckingRedis(redis: RedisClient, logger: Logger, onUnfit: (error: Error) => void): () => void {
  let passed = false;
  let isStopped = false;
  let logged = '';

  async function check(): Promise<void> {
    try {
      const warnings = await checkRedis(redis);
      passed = true;
      evicts.set(0);
      logOnce(warnings.join(' '), 'warn');
    } catch (error) {
      if (isOutage(error)) logger.debug('Redis is away: it is checked when it is back');
      else if (passed) logOnce((error as Error).message, 'error');
      else if (!isStopped) onUnfit(error as Error);
    }
  }
  function logOnce(message: string, level: 'warn' | 'error'): void {
    if (message && message !== logged) logger[level](message);
    logged = message;
  }
  void check();
  redis.on('ready', check);
  const checking = setInterval(check, CHECK_EVERY_MS).unref();
  return () => {
    isStopped = true;
    clearInterval(checking);
    redis.off('ready', check);
  };
}

/** @returns warnings @throws Error which says what to change, when a master is too old or evicts keys */
export async function checkRedis(redis: RedisClient): Promise<string[]> {
  const warnings = await Promise.all((await mastersOf(redis)).map(checkMaster));
  return [...new Set(warnings.flat())];
}

async function checkMaster(redis: Redis): Promise<string[]> {
  const info = await redis.info();
  const version = infoField(info, 'redis_version');
  if (version && Number.parseInt(version, 10) < MIN_MAJOR_VERSION)
    throw new Error(`Redis is too old: version ${MIN_MAJOR_VERSION} or later is needed (it is ${version})`);
  const policy = infoField(info, 'maxmemory_policy') ?? (await setting(redis, 'maxmemory-policy'));
  if (policy && policy !== 'noeviction') {
    evicts.set(1);
    throw new Error(
      `Redis evicts keys when its memory is full, which loses games: set maxmemory-policy to noeviction (it is ${policy})`,
    );
  }
  const isKept = infoField(info, 'aof_enabled') === '1' || (await setting(redis, 'save')) !== '';
  return [
    policy ? '' : 'Redis does not tell its maxmemory-policy: it must be noeviction.',
    isKept ? '' : 'Redis keeps nothing on disk: running games are lost when it restarts.',
  ].filter(Boolean);
}

/** @returns a field of the reply to INFO */
export function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/** @returns a setting, or undefined where CONFIG is forbidden, as it is by many providers */
async function setting(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const reply: unknown = await redis.config('GET', name);
    return Array.isArray(reply) ? (reply[1] as string | undefined) : (reply as Record<string, string>)[name];
  } catch (error) {
    if (isOutage(error)) throw error;
    return undefined;
  }
}
