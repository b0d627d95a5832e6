// A worker stops even while Redis is away, or while a job does not end.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createQueue, sharedPlace } from '../../src/platform/queues/queue.ts';
import { consume, openJobSource } from '../../worker/queues.ts';
import { eventually } from '../support/eventually.ts';
import { SHORT_OUTAGES, startService } from '../support/service.ts';
import { startStores } from '../support/stores.ts';
import { startProxyOf } from '../support/tcp-proxy.ts';

/** The longest time that a worker may take to stop, in ms. Beyond it the test fails. */
const STOPS_WITHIN_MS = 20_000;

test('a worker stops even when Redis goes away while it waits for a running job', async () => {
  const stores = await startStores();
  const { proxy: redis, url: redisUrl } = await startProxyOf(stores.redisUrl);
  const service = await startService({ ...stores, redisUrl }, SHORT_OUTAGES);
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
    expect(await Promise.race([stopped, sleep(STOPS_WITHIN_MS, 'not stopped')])).toBe('stopped');
  } finally {
    await source.close();
    await queue.close();
    await service.stop();
    await redis.stop();
    await stores.stop();
  }
});

test('a worker stops although a job does not end', async () => {
  const stores = await startStores();
  const service = await startService(stores, SHORT_OUTAGES);
  const { services } = service;
  const place = sharedPlace('endless');
  const queue = createQueue(place, services);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = openJobSource(services);
  const work = async () => {
    begun.resolve();
    await end.promise;
  };
  const consumer = consume(source, place, 1, work, { closeWaitMs: 300 });
  try {
    await queue.add('endless', {});
    await begun.promise;
    const stopped = consumer.close().then(() => 'stopped');
    expect(await Promise.race([stopped, sleep(150, 'waits')])).toBe('waits');
    expect(await Promise.race([stopped, sleep(STOPS_WITHIN_MS, 'not stopped')])).toBe('stopped');
  } finally {
    end.resolve();
    await source.close();
    await queue.close();
    await service.stop();
    await stores.stop();
  }
});

test.each([
  ['comes back', true],
  ['stays away', false],
])('a worker stops at any moment after Redis went away when Redis %s', async (_what, comesBack) => {
  const stores = await startStores();
  const { proxy: redis, url: redisUrl } = await startProxyOf(stores.redisUrl);
  const service = await startService({ ...stores, redisUrl }, SHORT_OUTAGES);
  try {
    const sources = Array.from({ length: 20 }, () => openJobSource(service.services));
    const consumers = sources.map((source) => consume(source, sharedPlace('idle'), 1, async () => {}));
    await eventually(() => service.services.redis.ping());
    await sleep(200);
    await redis.block();
    const stopped = Promise.all(
      consumers.map(async (consumer, index) => {
        // The workers stop during the pauses between attempts to connect and during the attempts.
        await sleep(index * 50);
        if (comesBack && index === 10) await redis.unblock();
        await consumer.close();
        await sources[index]?.close();
        return 'stopped';
      }),
    );
    const outcome = await Promise.race([stopped, sleep(STOPS_WITHIN_MS, 'not stopped')]);
    expect(outcome).toEqual(consumers.map(() => 'stopped'));
  } finally {
    await service.stop();
    await redis.stop();
    await stores.stop();
  }
});
