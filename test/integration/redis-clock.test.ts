// Deadlines are by the Redis server's clock, from the first answer of a Redis on: a process that starts
// while it is away, on a machine whose clock is wrong, does nothing by that one. [contract 5.4]
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { connectRedis } from '../../src/platform/redis.ts';
import { createRedisClock } from '../../src/platform/redis-clock.ts';
import { eventually } from '../support/eventually.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const WRONG_MS = 600_000;

let stores: TestStores;
let network: TcpProxy;
beforeAll(async () => {
  stores = await startStores();
  const { hostname, port } = new URL(stores.redisUrl);
  network = await startTcpProxy({ host: hostname, port: Number(port) });
});
afterEach(() => {
  Reflect.deleteProperty(performance, 'timeOrigin');
});
afterAll(async () => {
  await network.stop();
  await stores.stop();
});

it('is right as soon as a Redis answers that was away for longer than a command waits', async () => {
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
    await redis.ping();
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(30_000);
  } finally {
    clock.stop();
    redis.disconnect();
  }
});
