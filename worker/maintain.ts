// Runs periodic chores, each by one worker at a time. BullMQ's job schedulers store the times in Redis, so
// that workers may start and stop at any time.
import type { Job } from 'bullmq';
import type { CommonServices } from '../src/common-services.ts';
import { logFailure } from '../src/platform/outages/outage-log.ts';
import { type Consumer, createQueue, createWorker, sharedPlace } from '../src/platform/queues/queue.ts';

export const CHORES_QUEUE = sharedPlace('chores');

export interface Chore {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/** How often the worker checks that Redis has the schedule, ms. */
const CHECK_EVERY_MS = 1000;
/** The schedule is written again after this many ms, even when Redis has it. */
const RESCHEDULE_EVERY_MS = 60_000;

/** Schedules the chores, again whenever Redis has lost the schedule, and runs those that are due. */
export function maintain(
  deps: Pick<CommonServices, 'logger' | 'queueRedis'>,
  source: Parameters<typeof createWorker>[0],
  chores: Chore[],
): Consumer {
  const { logger } = deps;
  const queue = createQueue(CHORES_QUEUE, deps);
  let scheduledAt = Number.NEGATIVE_INFINITY;

  async function schedule(): Promise<void> {
    const isOld = performance.now() - scheduledAt > RESCHEDULE_EVERY_MS;
    if (!isOld && (await queue.getJobSchedulersCount()) >= chores.length) return;
    await Promise.all(chores.map(({ name, everyMs }) => queue.upsertJobScheduler(name, { every: everyMs }, { name })));
    // The chores of another release would else be due for ever and count as scheduled.
    const own = new Set(chores.map(({ name }) => name));
    for (const { key } of await queue.getJobSchedulers()) if (!own.has(key)) await queue.removeJobScheduler(key);
    scheduledAt = performance.now();
  }
  const check = () => schedule().catch((error: unknown) => logFailure(logger, 'warn', error, 'chores not scheduled'));
  void check();
  const checking = setInterval(check, CHECK_EVERY_MS);

  const consumer = createWorker(source, CHORES_QUEUE, 1, async ({ name }: Job) => {
    await chores.find((chore) => chore.name === name)?.run();
  });
  return {
    async close() {
      clearInterval(checking);
      await consumer.close();
      await queue.close();
    },
  };
}
