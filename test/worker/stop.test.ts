// A worker stops even while Redis is away, or while a job does not end.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createQueue, createWorker, sharedPlace } from '../../src/platform/queues/queue.ts';
import { openJobSource } from '../../worker/queues.ts';
import { eventually } from '../support/eventually.ts';
import { useProxiedService } from '../support/service.ts';

/** The longest time that a worker may take to stop, in ms. Beyond it the test fails. */
const STOPS_WITHIN_MS = 20_000;

const { redis, service } = useProxiedService();
afterEach(async () => {
  await redis.unblock();
  const { services } = service;
  for (const connection of [services.redis, services.queueRedis]) await eventually(() => connection.ping());
});

test('a worker stops even when Redis goes away while it waits for a running job', async () => {
  const { services } = service;
  const queue = createQueue(sharedPlace('under-way'), services);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = openJobSource(services);
  const consumer = createWorker(source, sharedPlace('under-way'), 1, async () => {
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
    await redis.unblock();
    await source.close();
    await queue.close();
  }
});

test('a worker stops although a job does not end', async () => {
  const { services } = service;
  const place = sharedPlace('endless');
  const queue = createQueue(place, services);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = openJobSource(services);
  const work = async () => {
    begun.resolve();
    await end.promise;
  };
  const consumer = createWorker(source, place, 1, work, { closeWaitMs: 300 });
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
  }
});

test.each([
  ['comes back', true],
  ['stays away', false],
])('a worker stops at any moment after Redis went away when Redis %s', async (_what, comesBack) => {
  const sources = Array.from({ length: 20 }, () => openJobSource(service.services));
  const consumers = sources.map((source) => createWorker(source, sharedPlace('idle'), 1, async () => {}));
  await eventually(async () => {
    const connections = (await service.services.redis.client('LIST')) as string;
    expect(connections.match(/ cmd=bzpopmin /g)).toHaveLength(sources.length);
  });
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
});
