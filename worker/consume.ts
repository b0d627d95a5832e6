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
  /**
   * Takes no more jobs, and waits for those under way. Without Redis none of them can end: they are
   * left to whoever is there when it is back.
   */
  close(): Promise<void>;
}

/** @returns what all consumers get their jobs from; close it after them */
export function openJobSource({
  config,
  logger,
  nowMs,
}: Pick<Services, 'config' | 'logger' | 'nowMs'>): JobSource & Consumer {
  const connection = connectRedis(config.redis, 'jobs', logger);
  return {
    connection,
    logger,
    nowMs,
    watch: watchQueues(connection, logger, nowMs),
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
  const worker = createWorker<Data>(source, queue, concurrency, handle, settings);
  return { close: () => worker.close(source.connection.status !== 'ready') };
}
