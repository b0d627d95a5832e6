// Refuses a Redis that would lose games: one that evicts keys when its memory is full. Looked at again
// and again, since a setting changes under a running process, and a failover brings another server.
import type { Redis } from 'ioredis';
import type { Logger } from './logger.ts';
import { gauge } from './metrics.ts';
import { isOutage } from './outage.ts';
import { mastersOf, type RedisClient } from './redis.ts';

const RETRY_MS = 2000;
const REPEAT_MS = 30_000;

const evicts = gauge(
  'quiz_redis_evicts',
  'Whether Redis drops keys when its memory is full: 1, or 0. It must not.',
);

/** A Redis that must not be used; the message says what to change. */
export class UnfitRedisError extends Error {
  override readonly name = 'UnfitRedisError';
}

/**
 * Checks each master for an evicting `maxmemory-policy`, and for one without persistence: at once,
 * every half minute, and whenever the connection was made anew. What a managed Redis doesn't tell is
 * taken as good. While Redis is away it is not an error: the check is made up for when it is back.
 * @param onUnfit is told when the first check fails, whatever the reason. Later ones only log and raise the metric: the games
 *   that run are better served by a Redis that could lose them than by nobody
 * @returns what ends it
 */
export function keepCheckingRedis(
  redis: RedisClient,
  logger: Logger,
  onUnfit: (error: Error) => void,
): () => void {
  let passed = false;
  let said = '';
  let next: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function check(): Promise<void> {
    clearTimeout(next);
    const wait = await checkOnce();
    if (isStopped) return;
    clearTimeout(next);
    next = setTimeout(check, wait).unref();
  }

  /** @returns how long to wait for the next one, ms */
  async function checkOnce(): Promise<number> {
    try {
      const warnings = await checkRedis(redis);
      passed = true;
      evicts.set(0);
      say(warnings.join(' '), 'warn');
      return REPEAT_MS;
    } catch (error) {
      if (isStopped) return REPEAT_MS;
      if (isOutage(error)) {
        logger.debug('Redis is away: it is checked when it is back');
        return RETRY_MS;
      }
      if (error instanceof UnfitRedisError) evicts.set(1);
      if (!passed) onUnfit(error as Error);
      else say((error as Error).message, 'error');
      return REPEAT_MS;
    }
  }

  function say(message: string, level: 'warn' | 'error'): void {
    if (message && message !== said) logger[level](message);
    said = message;
  }

  void check();
  redis.on('ready', check);
  return () => {
    isStopped = true;
    clearTimeout(next);
    redis.off('ready', check);
  };
}

/**
 * @returns what is wrong without being a reason to refuse
 * @throws UnfitRedisError
 */
export async function checkRedis(redis: RedisClient): Promise<string[]> {
  const warnings = await Promise.all((await mastersOf(redis)).map(checkNode));
  return [...new Set(warnings.flat())];
}

async function checkNode(redis: Redis): Promise<string[]> {
  const memory = await redis.info('memory');
  const policy = field(memory, 'maxmemory_policy') ?? (await setting(redis, 'maxmemory-policy'));
  if (policy && policy !== 'noeviction')
    throw new UnfitRedisError(
      `Redis evicts keys when its memory is full, which loses games: set maxmemory-policy to noeviction (it is ${policy})`,
    );
  const persistence = await redis.info('persistence');
  const appends = field(persistence, 'aof_enabled') === '1';
  const saves = (await setting(redis, 'save')) !== '';
  return [
    policy ? '' : 'Redis does not tell its maxmemory-policy: it must be noeviction.',
    appends || saves ? '' : 'Redis keeps nothing on disk: running games are lost when it restarts.',
  ].filter(Boolean);
}

/** @returns the value of one line of INFO, if it is there */
function field(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/** @returns a setting, or undefined where CONFIG is forbidden, as in many a managed Redis */
async function setting(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const reply: unknown = await redis.config('GET', name);
    return Array.isArray(reply)
      ? (reply[1] as string | undefined)
      : (reply as Record<string, string>)[name];
  } catch (error) {
    if (isOutage(error)) throw error;
    return undefined;
  }
}
