import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { checkRedis, keepCheckingRedis } from '../../src/platform/redis/redis-check.ts';
import { captureLog } from '../support/log-capture.ts';
import { readMetrics } from '../support/metrics.ts';
import { useStores } from '../support/stores.ts';
import { startProxyOf } from '../support/tcp-proxy.ts';

const stores = useStores();
let admin: Redis;
const onUnfit = vi.fn();
const log = captureLog();
const logger = createLogger('warn', 'test', log.stream);

beforeAll(() => {
  admin = new Redis(stores.redisUrl).on('error', () => {});
});
afterEach(async () => {
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  await admin.config('SET', 'appendonly', 'yes');
  log.clear();
  onUnfit.mockReset();
});
afterAll(() => admin.disconnect());

it('accepts a Redis that evicts no keys and persists them', async () => {
  expect(await checkRedis(admin)).toEqual([]);
});

it.each(['allkeys-lru', 'volatile-ttl'])('refuses the policy %s', async (policy) => {
  await admin.config('SET', 'maxmemory-policy', policy);
  await expect(checkRedis(admin)).rejects.toThrow(`set maxmemory-policy to noeviction (it is ${policy})`);
});

it('refuses a Redis before version 7, which has no sharded pub/sub', async () => {
  const { proxy, url } = await startProxyOf(stores.redisUrl, (reply) =>
    Buffer.from(String(reply).replace('redis_version:7', 'redis_version:6')),
  );
  const old = new Redis(url);
  onTestFinished(() => {
    old.disconnect();
    return proxy.stop();
  });
  await expect(checkRedis(old)).rejects.toThrow('version 7 or later is needed (it is 6.');
});

it('warns about a Redis without persistence', async () => {
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

/** Connects as the service does and checks until the test ends. @returns the connection */
function keepChecking(): Redis {
  const options = { commandTimeout: 300, maxRetriesPerRequest: null };
  const redis = new Redis(stores.redisUrl, options).on('error', () => {});
  const stop = keepCheckingRedis(redis, logger, onUnfit);
  onTestFinished(() => {
    stop();
    redis.disconnect();
  });
  return redis;
}

const evicts = async () => (await readMetrics()).quiz_redis_evicts;

it('postpones the check while Redis is away', async () => {
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  stores.redis.pause();
  try {
    const redis = keepChecking();
    await expect(checkRedis(redis)).rejects.toThrow();
    expect(onUnfit).not.toHaveBeenCalled();
  } finally {
    stores.redis.resume();
  }
  await expect.poll(() => onUnfit.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(onUnfit.mock.calls[0]?.[0]).toMatchObject({
    message: expect.stringContaining('set maxmemory-policy to noeviction'),
  });
  expect(await evicts()).toBe(1);
});

it('reports a failover to a Redis that evicts by log and metric, and does not stop the service', async () => {
  await checkRedis(keepChecking());
  await expect.poll(evicts).toBe(0);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  // A failover also ends the connection.
  await admin.call('CLIENT', 'KILL', 'SKIPME', 'yes');
  await expect.poll(evicts).toBe(1);
  expect(log.lines().map(({ msg }) => msg)).toEqual([expect.stringContaining('set maxmemory-policy to noeviction')]);
  expect(onUnfit).not.toHaveBeenCalled();

  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  await admin.call('CLIENT', 'KILL', 'SKIPME', 'yes');
  await expect.poll(evicts).toBe(0);
});
