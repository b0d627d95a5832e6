import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { renderMetrics } from '../../src/platform/metrics.ts';
import { checkRedis, keepCheckingRedis } from '../../src/platform/redis-check.ts';
import { startStores, type TestStores } from '../support/stores.ts';

let stores: TestStores;
let admin: Redis;
let warnings: string[] = [];
const unfit = vi.fn();
const logger = createLogger(
  'warn',
  'test',
  new Writable({
    write(chunk, _encoding, done) {
      warnings.push(JSON.parse(String(chunk)).msg);
      done();
    },
  }),
);

beforeAll(async () => {
  stores = await startStores();
  admin = new Redis(stores.redisUrl);
  admin.on('error', () => {});
});
afterEach(async () => {
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  await admin.config('SET', 'appendonly', 'yes');
  warnings = [];
  unfit.mockReset();
});
afterAll(async () => {
  admin.disconnect();
  await stores.stop();
});

it('takes a Redis that keeps what it is given', async () => {
  expect(await checkRedis(admin)).toEqual([]);
});

it.each(['allkeys-lru', 'volatile-ttl'])('refuses the policy %s', async (policy) => {
  await admin.config('SET', 'maxmemory-policy', policy);
  await expect(checkRedis(admin)).rejects.toThrow(
    `set maxmemory-policy to noeviction (it is ${policy})`,
  );
});

it('warns about a Redis that keeps nothing on disk', async () => {
  await admin.config('SET', 'appendonly', 'no');
  await admin.config('SET', 'save', '');
  expect(await checkRedis(admin)).toEqual([expect.stringContaining('keeps nothing on disk')]);
});

it('tolerates a managed Redis where CONFIG is forbidden, and still sees the policy', async () => {
  await admin.call('ACL', 'SETUSER', 'tenant', 'on', 'nopass', '~*', '+@all', '-config');
  const tenant = new Redis(stores.redisUrl, { username: 'tenant', password: 'x' });
  expect(await checkRedis(tenant)).toEqual([]);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lfu');
  await expect(checkRedis(tenant)).rejects.toThrow('allkeys-lfu');
  tenant.disconnect();
});

/** @returns the service's connection, checked until the test ends */
function keepChecking(): Redis {
  const redis = new Redis(stores.redisUrl, { commandTimeout: 300, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const stop = keepCheckingRedis(redis, logger, unfit);
  onTestFinished(() => {
    stop();
    redis.disconnect();
  });
  return redis;
}

const evicts = async () =>
  Number(/^quiz_redis_evicts (\d)/m.exec((await renderMetrics()).text)?.[1]);

it('Redis being away is no failure: the check is made up for when it is back', async () => {
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  stores.redis.pause();
  try {
    const redis = keepChecking();
    await expect(checkRedis(redis)).rejects.toThrow();
    expect(unfit).not.toHaveBeenCalled();
  } finally {
    stores.redis.resume();
  }
  await expect.poll(() => unfit.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(unfit.mock.calls[0]?.[0]).toMatchObject({ name: 'UnfitRedisError' });
  expect(await evicts()).toBe(1);
});

it('a failover to a Redis that evicts is told, in the log and in the metric, and ends no game', async () => {
  await checkRedis(keepChecking());
  await expect.poll(evicts).toBe(0);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  // As after a failover, the connection is a new one.
  await admin.call('CLIENT', 'KILL', 'SKIPME', 'yes');
  await expect.poll(evicts).toBe(1);
  expect(warnings).toEqual([expect.stringContaining('set maxmemory-policy to noeviction')]);
  expect(unfit).not.toHaveBeenCalled();

  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  await admin.call('CLIENT', 'KILL', 'SKIPME', 'yes');
  await expect.poll(evicts).toBe(0);
});
