// A worker that is told to stop while its Redis is away: it stops.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createQueue, sharedPlace } from '../../src/platform/queue.ts';
import { consume, openJobSource } from '../../worker/consume.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { startStores } from '../support/stores.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const PATIENCE_MS = 20_000;

test('a worker stops though Redis goes away while it waits for a job under way', async () => {
  const stores = await startStores();
  const redis = await startTcpProxy({
    host: '127.0.0.1',
    port: Number(new URL(stores.redisUrl).port),
  });
  const service = await startService({ ...stores, redisUrl: redis.url('redis') });
  const { services } = service;
  const queue = createQueue(sharedPlace('under-way'), services);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = openJobSource(services);
  const consumer = consume(source, sharedPlace('under-way'), 1, async () => {
    begun.resolve();
    await end.promise;
  });
  try {
    await queue.add('long', {});
    await begun.promise;
    const stopped = consumer.close().then(() => 'stopped');
    await redis.block();
    end.resolve();
    expect(await Promise.race([stopped, sleep(PATIENCE_MS, 'not stopped')])).toBe('stopped');
  } finally {
    await source.close();
    await queue.close();
    await service.stop();
    await redis.stop();
    await stores.stop();
  }
});

test.each([
  ['comes back', true],
  ['stays away', false],
])(
  'a worker stops whenever it is told to after Redis went away, and it %s',
  async (_what, comesBack) => {
    const stores = await startStores();
    const redis = await startTcpProxy({
      host: '127.0.0.1',
      port: Number(new URL(stores.redisUrl).port),
    });
    const service = await startService({ ...stores, redisUrl: redis.url('redis') });
    try {
      const sources = Array.from({ length: 20 }, () => openJobSource(service.services));
      const consumers = sources.map((source) =>
        consume(source, sharedPlace('idle'), 1, async () => {}),
      );
      await eventually(() => service.services.redis.ping());
      await sleep(200);
      await redis.block();
      const stopped = Promise.all(
        consumers.map(async (consumer, index) => {
          // At every moment of the pauses between attempts, and while they are made.
          await sleep(index * 50);
          if (comesBack && index === 10) await redis.unblock();
          await consumer.close();
          await sources[index]?.close();
          return 'stopped';
        }),
      );
      const outcome = await Promise.race([stopped, sleep(PATIENCE_MS, 'not stopped')]);
      expect(outcome).toEqual(consumers.map(() => 'stopped'));
    } finally {
      await service.stop();
      await redis.stop();
      await stores.stop();
    }
  },
);
