// Chores: what is done every few minutes, once over all workers. The queue's schedulers keep the
// times, so that it doesn't matter which worker lives when.
import type { Job } from 'bullmq';
import { createQueue } from '../src/platform/queue.ts';
import type { Services } from '../src/services.ts';
import { type Consumer, consume } from './consume.ts';

export interface Chore {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

export const CHORES_QUEUE = 'chores';

/**
 * Schedules `chores` and does those that fall to this process.
 * @param rescheduleMs how often the schedule is written again: Redis may have been away, or lost it
 */
export function maintain(
  services: Pick<Services, 'config' | 'logger' | 'redis'>,
  chores: Chore[],
  rescheduleMs = 60_000,
): Consumer {
  const { logger, redis } = services;
  const queue = createQueue(CHORES_QUEUE, redis, logger);

  const schedule = () =>
    Promise.all(
      chores.map(({ name, everyMs }) =>
        queue.upsertJobScheduler(name, { every: everyMs }, { name }),
      ),
    ).catch((error: unknown) => logger.warn({ err: error }, 'chores not scheduled'));
  void schedule();
  const rescheduling = setInterval(schedule, rescheduleMs);

  const consumer = consume(services, CHORES_QUEUE, 1, async ({ name }: Job) => {
    await chores.find((chore) => chore.name === name)?.run();
  });
  return {
    async close() {
      clearInterval(rescheduling);
      await consumer.close();
      await queue.close();
    },
  };
}
