// Refuses a Redis that would lose games: one that evicts keys when its memory is full. Run once at
// start-up, and again later if Redis was away then.
import { Cluster, type Redis } from 'ioredis';
import type { Logger } from './logger.ts';
import { isOutage } from './outage.ts';
import type { RedisClient } from './redis.ts';

const RETRY_MS = 2000;

/** A Redis that must not be used; the message says what to change. */
export class UnfitRedisError extends Error {
  override readonly name = 'UnfitRedisError';
}

/**
 * Checks each master for an evicting `maxmemory-policy`, and warns about one without persistence.
 * What a managed Redis doesn't tell is taken as good. While Redis is away it is not an error: the
 * check is made up for as soon as it is back.
 * @param onUnfit is told when the check that is made up for fails
 * @throws UnfitRedisError
 */
export async function checkRedis(
  redis: RedisClient,
  logger: Logger,
  onUnfit: (error: Error) => void,
): Promise<void> {
  try {
    const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
    await Promise.all(nodes.map((node) => checkNode(node, logger)));
  } catch (error) {
    if (!isOutage(error)) throw error;
    logger.debug('Redis is away: it is checked when it is back');
    const again = () => void checkRedis(redis, logger, onUnfit).catch(onUnfit);
    setTimeout(again, RETRY_MS).unref();
  }
}

async function checkNode(redis: Redis, logger: Logger): Promise<void> {
  const memory = await redis.info('memory');
  const policy = field(memory, 'maxmemory_policy') ?? (await setting(redis, 'maxmemory-policy'));
  if (policy && policy !== 'noeviction')
    throw new UnfitRedisError(
      `Redis evicts keys when its memory is full, which loses games: set maxmemory-policy to noeviction (it is ${policy})`,
    );
  if (!policy) logger.warn('Redis does not tell its maxmemory-policy: it must be noeviction');
  const persistence = await redis.info('persistence');
  const appends = field(persistence, 'aof_enabled') === '1';
  const saves = (await setting(redis, 'save')) !== '';
  if (!appends && !saves)
    logger.warn('Redis keeps nothing on disk: running games are lost when it restarts');
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
