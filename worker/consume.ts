// The consumers of this process: any number of queues on one connection.
import {
  createWorker,
  type JobHandler,
  type JobSource,
  type WorkerSettings,
} from '../src/platform/queue.ts';
import type { QueuePlace } from '../src/platform/queue-look.ts';
import { watchQueues } from '../src/platform/queue-watch.ts';
import { connectRedis } from '../src/platform/redis.ts';
import type { Services } from '../src/services.ts';

export interface Consumer {
  /** Takes no more jobs, and waits for those under way, unless Redis goes away. */
  close(): Promise<void>;
}

/** @returns what all consumers get their jobs from; close it after them */
export function openJobSource({
  config,
  logger,
  nowMs,
}: Pick<Services, 'config' | 'logger' | 'nowMs'>): JobSource & Consumer {
  const connection = connectRedis(config.redis, 'jobs', logger);
  let lost: Promise<void> | undefined;
  return {
    connection,
    logger,
    nowMs,
    watch: watchQueues(connection, logger, nowMs),
    async whenLost() {
      if (connection.status !== 'ready') return;
      // One listener for all who wait.
      lost ??= new Promise((resolve) => connection.once('close', resolve));
      await lost;
    },
    close: async () => connection.disconnect(),
  };
}

/** Starts one. @param concurrency jobs at once in this process */
export function consume<Data>(
  source: JobSource,
  queue: QueuePlace,
  concurrency: number,
  handle: JobHandler<Data>,
  settings: WorkerSettings = {},
): Consumer {
  return createWorker<Data>(source, queue, concurrency, handle, settings);
}
