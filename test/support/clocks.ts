// Runs, counts and removes the clocks of all games, which are jobs in several queues.
import type { Queue } from 'bullmq';
import { type ClockJob, clockPlaces, clockRetryDelayMs } from '../../src/match/clock/clock.ts';
import { type Consumer, createQueue, createWorker, openJobSource } from '../../src/platform/queues/queue.ts';
import type { Services } from '../../src/services.ts';
import { runClocks } from '../../worker/jobs.ts';

/** Starts to run due clocks in this process, as a worker does. */
export function startRunningClocks(services: Services): Consumer {
  const source = openJobSource(services);
  const consumers = clockPlaces(services.config.clockQueues).map((place) =>
    createWorker(source, place, 100, runClocks(services), { retryDelayMs: clockRetryDelayMs }),
  );
  return {
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await source.close();
    },
  };
}

/** @returns the number of clocks in each queue, including failed ones */
export const countClocks = (services: Services): Promise<number[]> =>
  eachQueue(services, (queue) => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'failed'));

export async function removeClocks(services: Services): Promise<void> {
  await eachQueue(services, (queue) => queue.obliterate({ force: true }));
}

export async function eachQueue<T>(services: Services, use: (queue: Queue<ClockJob>) => Promise<T>): Promise<T[]> {
  return Promise.all(
    clockPlaces(services.config.clockQueues).map(async (place) => {
      const queue = createQueue<ClockJob>(place, services);
      try {
        return await use(queue);
      } finally {
        await queue.close();
      }
    }),
  );
}
