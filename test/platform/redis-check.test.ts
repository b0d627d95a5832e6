import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { checkRedis, keepCheckingRedis } from '../../src/platform/redis/redis-check.ts';
import { captureLog } from '../support/log-capture.ts';
import { useStores } from '../support/stores.ts';

const stores = useStores();
let admin: Redis;
const onUnfit = vi.fn();
const log = captureLog();
const logger = createLogger('warn', 'test', log.stream);

beforeAll(() => {
  admin = new Redis(stores.redisUrl);
  admin.on('error', () => {});
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
  const { hostname, port } = new URL(stores.redisUrl);
  const proxy = createServer((client) => {
    const redis = connect(Number(port), hostname);
    client.on('error', () => redis.destroy()).pipe(redis);
    redis.on('error', () => client.destroy());
    redis.on('data', (reply) => client.write(String(reply).replace('redis_version:7', 'redis_version:6')));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const old = new Redis((proxy.address() as AddressInfo).port);
  onTestFinished(() => {
    old.disconnect();
    proxy.close();
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
  const redis = new Redis(stores.redisUrl, { commandTimeout: 300, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const stop = keepCheckingRedis(redis, logger, onUnfit);
  onTestFinished(() => {
    stop();
    redis.disconnect();
  });
  return redis;
}

const evicts = async () => Number(/^quiz_redis_evicts (\d)/m.exec((await renderMetrics()).text)?.[1]);

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
