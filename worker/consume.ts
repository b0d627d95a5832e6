// One queue's consumer in this process, with the connection of its own that it needs.
import { createWorker, type JobHandler, type WorkerSettings } from '../src/platform/queue.ts';
import { connectRedis } from '../src/platform/redis.ts';
import type { Services } from '../src/services.ts';

export interface Consumer {
  /**
   * Takes no more jobs, waits for those under way, and disconnects. Without Redis none of them can
   * end: they are left to whoever is there when it is back.
   */
  close(): Promise<void>;
}

/** Starts it. @param concurrency jobs at once in this process */
export function consume<Data>(
  { config, logger }: Pick<Services, 'config' | 'logger'>,
  queue: string,
  concurrency: number,
  handle: JobHandler<Data>,
  settings: WorkerSettings = {},
): Consumer {
  const connection = connectRedis(config.redis, 'jobs', logger);
  const worker = createWorker<Data>(queue, connection, logger, concurrency, handle, settings);
  return {
    async close() {
      await worker.close(connection.status !== 'ready');
      connection.disconnect();
    },
  };
}
