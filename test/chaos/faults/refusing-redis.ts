// Redis answers but refuses writes: it has lost its replicas, or its memory is full.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisSite } from '../redis-site.ts';
import type { Act } from './act.ts';

/** @param harm the value of the setting that makes it refuse writes @param good the normal value */
const refusing =
  (setting: string, harm: number, good: (site: RedisSite) => number): Act =>
  async ({ redis }, fault) => {
    await redis.each((client) => client.config('SET', setting, harm));
    await sleep(fault.lastsMs);
    await redis.each((client) => client.config('SET', setting, good(redis)));
  };

export const readOnlyRedis = refusing('min-replicas-to-write', 9, ({ minReplicas }) => minReplicas);
export const fullRedis = refusing('maxmemory', 1, () => 0);
