// Creates BullMQ's queues and workers with settings under which no job is lost. Another worker takes over a job of a
// killed worker within about five seconds, and a job is never dropped, however often that happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, type JobsOptions, Queue, Worker } from 'bullmq';
import type { Logger } from '../observability/logger.ts';
import { counter } from '../observability/metrics.ts';
import { logFailure } from '../outages/outage-log.ts';
import type { RedisClient } from '../redis/redis.ts';

const stalled = counter('quiz_jobs_stalled_total', 'Jobs taken over from a worker that died.', ['queue']);

/** The prefix of all queues that may share a hash slot. */
const SHARED_PREFIX = '{quiz}';

/**
 * A job whose lock is not renewed for this many ms counts as stalled; a worker renews its locks at half this time.
 * With a shorter time, jobs of a busy worker would be done twice, which makes it busier.
 */
const LOCK_DURATION_MS = 5000;
/** How often a worker looks for stalled jobs, in ms. */
const STALLED_INTERVAL_MS = 1000;

/** The name and the prefix that BullMQ puts into the keys of a queue. */
export interface QueuePlace {
  name: string;
  /** A hash tag in braces, so that on a Redis Cluster all keys of the queues with this prefix share a slot. */
  prefix: string;
}

/** @returns the place of a queue that shares its hash slot with most others */
export function sharedPlace(name: string): QueuePlace {
  return { name, prefix: SHARED_PREFIX };
}

/**
 * Creates the sending side of a queue.
 * @param services.queueRedis a connection with role `queues`
 * @param defaults options of every job. Finished jobs are removed, since BullMQ silently ignores a new job with the
 *   id of a retained one
 */
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
    defaultJobOptions: { removeOnComplete: true, removeOnFail: { count: 1000 }, ...defaults },
  });
  // redis.ts logs a lost connection already, once for each outage.
  queue.on('error', (error) => logger.debug({ queue: name, err: error }, 'queue error'));
  return queue as Queue<Data>;
}

/** Does one job. An error that it throws is logged, and the job is retried while it has attempts left. */
export type JobHandler<Data> = (job: Job<Data>, token: string | undefined) => Promise<void>;

export interface WorkerSettings {
  /** The pause before the next attempt of a job with `backoff: { type: 'custom' }`, ms. */
  retryDelayMs?: (attemptsMade: number, error: unknown) => number;
  /** How long `close` waits, ms. */
  closeWaitMs?: number;
}

/**
 * How long a worker waits for its jobs when it stops, ms. An email takes 10 s at most; another worker repeats a chore
 * that takes longer. The rest of `STOP_DEADLINE_MS` is for the stores. BullMQ alone could wait for ever: it waits for
 * the end of its connection, which ioredis may not report after a cluster was lost.
 */
const CLOSE_WAIT_MS = 15_000;

/** The connection that all workers of a process share. */
export interface JobSource {
  /** A connection with role `jobs`. */
  connection: RedisClient;
  /** Resolves when the connection breaks, or at once without one. */
  whenLost(): Promise<void>;
  logger: Logger;
}

/**
 * Starts the working side of a queue.
 * @param concurrency how many jobs run at once in this process
 * @returns `close`, which waits for the running jobs, but not for too long. While Redis is away no job can end;
 *   `close` then returns at once. Another worker takes over jobs that have not ended once the source is closed, too
 */
export function createWorker<Data>(
  { connection, whenLost, logger }: JobSource,
  { name, prefix }: QueuePlace,
  concurrency: number,
  handle: JobHandler<Data>,
  { retryDelayMs, closeWaitMs = CLOSE_WAIT_MS }: WorkerSettings = {},
): { close(): Promise<void> } {
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
