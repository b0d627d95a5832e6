// What Redis has used, by its own account.
import type { Redis } from 'ioredis';
import type { RedisClient } from '../../src/platform/redis.ts';

/** @returns what all of the server's threads have used since its start, ms */
export async function redisCpuMs(redis: RedisClient): Promise<number> {
  const info = await (redis as Redis).info('cpu');
  const seconds = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (seconds('used_cpu_user') + seconds('used_cpu_sys')) * 1000;
}
