// Creates BullMQ's queues and workers with settings under which no job is lost. Another worker takes over a job of a
// killed worker within about five seconds, and a job is never dropped, however often that happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, type JobsOptions, Queue, Worker } from 'bullmq';
import type { Config } from '../../config.ts';
import type { Logger } from '../observability/logger.ts';
import { counter } from '../observability/metrics.ts';
import { logFailure } from '../outages/outage-log.ts';
import { connectRedis, type RedisClient } from '../redis/redis.ts';

const stalled = counter('quiz_jobs_stalled_total', 'Jobs taken over from a worker that died.', ['queue']);

/** A job whose lock is not renewed for so many ms counts as stalled. With fewer, a busy worker's jobs run twice. */
const LOCK_DURATION_MS = 5000;
const STALLED_INTERVAL_MS = 1000;

/** What the keys of a queue begin with. On a Redis Cluster, all keys with one `{prefix}` share a hash slot. */
export interface QueuePlace {
  name: string;
  prefix: string;
}

/** Most queues share a hash slot. */
export const sharedPlace = (name: string): QueuePlace => ({ name, prefix: '{quiz}' });

export function createQueue<Data>(
  { name, prefix }: QueuePlace,
  { queueRedis, logger }: { queueRedis: RedisClient; logger: Logger },
  defaults: JobsOptions = {},
): Queue<Data> {
  const queue = new Queue<Data>(name, {
    connection: queueRedis,
    prefix,
    // Nobody reads the stream of events.
    streams: { events: { maxLen: 100 } },
    // BullMQ's check would only log a warning for each queue; src/platform/redis/redis-check.ts refuses instead.
    skipVersionCheck: true,
    // BullMQ silently ignores a new job with the id of a retained one.
    defaultJobOptions: { removeOnComplete: true, removeOnFail: { count: 1000 }, ...defaults },
  });
  // redis.ts logs a lost connection already, once for each outage.
  queue.on('error', (error) => logger.debug({ queue: name, err: error }, 'queue error'));
  return queue;
}

/** An error that it throws is logged, and the job is retried while it has attempts left. */
export type JobHandler<Data> = (job: Job<Data>, token: string | undefined) => Promise<void>;

export interface Consumer {
  /** Takes no more jobs, and waits for the running ones, but not for too long. */
  close(): Promise<void>;
}

/**
 * An email takes 10 s at most, and `STOP_DEADLINE_MS` is near. BullMQ could wait for ever, since ioredis may not report
 * the end of a lost cluster.
 */
const CLOSE_WAIT_MS = 15_000;

type JobSource = ReturnType<typeof openJobSource>;

/** Opens the connection that all workers share, which is closed after them. Each waits on a second one of its own. */
export function openJobSource({ config, logger }: { config: Pick<Config, 'redis'>; logger: Logger }) {
  const connection = connectRedis(config.redis, 'jobs', logger);
  let lost: Promise<void> | undefined;
  return {
    connection,
    logger,
    /** Resolves when the connection breaks, or at once without one. All callers share one listener. */
    async whenLost(): Promise<void> {
      if (connection.status !== 'ready') return;
      lost ??= new Promise((resolve) => connection.once('close', resolve));
      await lost;
    },
    close: async () => connection.disconnect(),
  };
}

/**
 * Its `close` returns at once while Redis is away, since no job can end then. Another worker takes over jobs that have
 * not ended once the source is closed.
 * @param concurrency how many jobs run at once in this process
 * @param options.retryDelayMs the pause before the next attempt of a job with `backoff: { type: 'custom' }`, ms
 */
export function createWorker<Data>(
  { connection, whenLost, logger }: JobSource,
  { name, prefix }: QueuePlace,
  concurrency: number,
  handle: JobHandler<Data>,
  options: { retryDelayMs?: (attemptsMade: number, error: unknown) => number; closeWaitMs?: number } = {},
): Consumer {
  const { retryDelayMs, closeWaitMs = CLOSE_WAIT_MS } = options;
  const worker = new Worker<Data>(name, handle, {
    connection,
    prefix,
    concurrency,
    // The version check stays on: without it BullMQ rounds the time to the next delayed job up to whole seconds.
    lockDuration: LOCK_DURATION_MS,
    stalledInterval: STALLED_INTERVAL_MS,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    removeOnComplete: { count: 0 },
    ...(retryDelayMs && {
      settings: { backoffStrategy: (attempts = 1, _type, error) => retryDelayMs(attempts, error) },
    }),
  });
  worker.on('error', (error) => logger.debug({ queue: name, err: error }, 'worker error'));
  worker.on('stalled', () => stalled.inc({ queue: name }));
  worker.on('failed', (job, error) =>
    logFailure(logger, 'error', error, 'job failed', { queue: name, jobId: job?.id }),
  );
  return {
    async close() {
      const waited = sleep(closeWaitMs, undefined, { ref: false });
      await Promise.race([worker.close(), whenLost(), waited]);
    },
  };
}
