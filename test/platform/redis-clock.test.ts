// The clock of the Redis server sets deadlines. A process that starts while Redis is away, on a machine whose
// clock is wrong, must not use its own clock once Redis has replied. [contract 5.4]
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectRedis, createRedisClock } from '../../src/platform/redis/redis.ts';
import { eventually } from '../support/eventually.ts';
import { useStores } from '../support/stores.ts';
import { startProxyOf, type TcpProxy } from '../support/tcp-proxy.ts';

const WRONG_MS = 600_000;

const stores = useStores();
let network: TcpProxy;
beforeAll(async () => {
  network = (await startProxyOf(stores.redisUrl)).proxy;
});
afterEach(() => {
  Reflect.deleteProperty(performance, 'timeOrigin');
});
afterAll(() => network.stop());

it('the clock is right as soon as Redis replies after an outage that exceeded the command timeout', async () => {
  const wrong = performance.timeOrigin + WRONG_MS;
  Object.defineProperty(performance, 'timeOrigin', { configurable: true, get: () => wrong });
  await network.block();
  const options = { url: network.url('redis'), cluster: false };
  const redis = connectRedis(options, 'commands', createLogger('silent', 'test'));
  const clock = createRedisClock(redis);
  try {
    await expect(redis.ping()).rejects.toThrow('Command timed out');
    await network.unblock();
    await eventually(() => redis.ping());
    await eventually(() => redis.ping());
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(30_000);
  } finally {
    clock.stop();
    redis.disconnect();
  }
});
