// Chores: what is done every few minutes, once over all workers. The queue's schedulers keep the
// times, so that it doesn't matter which worker lives when.
import type { Job } from 'bullmq';
import { isOutage } from '../src/platform/outage.ts';
import { createQueue, type JobSource, sharedPlace } from '../src/platform/queue.ts';
import type { Services } from '../src/services.ts';
import { type Consumer, consume } from './consume.ts';

export interface Chore {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

export const CHORES_QUEUE = sharedPlace('chores');

/** How often to look whether Redis still has the schedule, and how often to write it all the same. */
const LOOK_EVERY_MS = 1000;
const RESCHEDULE_EVERY_MS = 60_000;

/** Schedules `chores`, again whenever Redis has lost that, and does those that fall to this process. */
export function maintain(
  deps: Pick<Services, 'logger' | 'nowMs' | 'redis'>,
  source: JobSource,
  chores: Chore[],
): Consumer {
  const { logger } = deps;
  const queue = createQueue(CHORES_QUEUE, deps);

  let scheduledAt = Number.NEGATIVE_INFINITY;

  async function schedule(): Promise<void> {
    const isOld = performance.now() - scheduledAt > RESCHEDULE_EVERY_MS;
    if (!isOld && (await queue.getJobSchedulersCount()) >= chores.length) return;
    await Promise.all(
      chores.map(({ name, everyMs }) =>
        queue.upsertJobScheduler(name, { every: everyMs }, { name }),
      ),
    );
    scheduledAt = performance.now();
  }
  const look = () =>
    schedule().catch((error: unknown) =>
      logger[isOutage(error) ? 'debug' : 'warn']({ err: error }, 'chores not scheduled'),
    );
  void look();
  const looking = setInterval(look, LOOK_EVERY_MS);

  const consumer = consume(source, CHORES_QUEUE, 1, async ({ name }: Job) => {
    await chores.find((chore) => chore.name === name)?.run();
  });
  return {
    async close() {
      clearInterval(looking);
      await consumer.close();
      await queue.close();
    },
  };
}
