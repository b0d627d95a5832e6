// A worker stops even while Redis is away, or while a job does not end.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createQueue, createWorker, openJobSource, sharedPlace } from '../../src/platform/queues/queue.ts';
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

/** Starts a worker, and a job that runs until `end` is called. */
async function startLongJob(name: string, options?: Parameters<typeof createWorker>[4]) {
  const { services } = service;
  const queue = createQueue(sharedPlace(name), services);
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = openJobSource(services);
  const work = async () => {
    begun.resolve();
    await end.promise;
  };
  const consumer = createWorker(source, sharedPlace(name), 1, work, options);
  onTestFinished(async () => {
    end.resolve();
    await redis.unblock();
    await source.close();
    await queue.close();
  });
  await queue.add(name, {});
  await begun.promise;
  return { end: end.resolve, stop: () => consumer.close().then(() => 'stopped') };
}

test('a worker stops even when Redis goes away while it waits for a running job', async () => {
  const { end, stop } = await startLongJob('under-way');
  const stopped = stop();
  await redis.block();
  end();
  expect(await Promise.race([stopped, sleep(STOPS_WITHIN_MS, 'not stopped')])).toBe('stopped');
});

test('a worker stops although a job does not end', async () => {
  const { stop } = await startLongJob('endless', { closeWaitMs: 300 });
  const stopped = stop();
  expect(await Promise.race([stopped, sleep(150, 'waits')])).toBe('waits');
  expect(await Promise.race([stopped, sleep(STOPS_WITHIN_MS, 'not stopped')])).toBe('stopped');
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
