import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { checkRedis } from '../../src/platform/redis-check.ts';
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
  await checkRedis(admin, logger, unfit);
  expect(warnings).toEqual([]);
});

it.each(['allkeys-lru', 'volatile-ttl'])('refuses the policy %s', async (policy) => {
  await admin.config('SET', 'maxmemory-policy', policy);
  await expect(checkRedis(admin, logger, unfit)).rejects.toThrow(
    `set maxmemory-policy to noeviction (it is ${policy})`,
  );
});

it('warns about a Redis that keeps nothing on disk', async () => {
  await admin.config('SET', 'appendonly', 'no');
  await admin.config('SET', 'save', '');
  await checkRedis(admin, logger, unfit);
  expect(warnings).toEqual([expect.stringContaining('keeps nothing on disk')]);
});

it('tolerates a managed Redis where CONFIG is forbidden, and still sees the policy', async () => {
  await admin.call('ACL', 'SETUSER', 'tenant', 'on', 'nopass', '~*', '+@all', '-config');
  const tenant = new Redis(stores.redisUrl, { username: 'tenant', password: 'x' });
  await checkRedis(tenant, logger, unfit);
  expect(warnings).toEqual([]);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lfu');
  await expect(checkRedis(tenant, logger, unfit)).rejects.toThrow('allkeys-lfu');
  tenant.disconnect();
});

it('Redis being away is no failure: the check is made up for when it is back', async () => {
  const redis = new Redis(stores.redisUrl, { commandTimeout: 300, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  stores.redis.pause();
  try {
    await checkRedis(redis, logger, unfit);
    expect(unfit).not.toHaveBeenCalled();
  } finally {
    stores.redis.resume();
  }
  await expect.poll(() => unfit.mock.calls.length, { timeout: 30_000 }).toBe(1);
  expect(unfit.mock.calls[0]?.[0]).toMatchObject({ name: 'UnfitRedisError' });
  redis.disconnect();
});
