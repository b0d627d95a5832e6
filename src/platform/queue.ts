// BullMQ, with the settings that a game which can't be lost needs: a job that a killed worker held
// is taken up by another within about two seconds, and however often that happens, it is not given up.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  createRedisBackend,
  type Job,
  type JobsOptions,
  Queue,
  type RedisQueueBackend,
  Worker,
} from 'bullmq';
import type { Logger } from './logger.ts';
import { counter } from './metrics.ts';
import type { RedisClient } from './redis.ts';

const stalled = counter('quiz_jobs_stalled_total', 'Jobs taken over from a worker that died.', [
  'queue',
]);

/** Braced, so that on a Redis Cluster all keys of the queues share one slot. */
const PREFIX = '{quiz}';

/** A worker renews its lock at half this time; without renewal the job counts as stalled. */
const LOCK_DURATION_MS = 2000;
const STALLED_INTERVAL_MS = 1000;

/** The pause after an error of Redis, as in a failover. BullMQ's own is 15 s: a whole round. */
const ERROR_PAUSE_MS = 200;

/**
 * How long a worker waits at most before it asks for jobs again, and at least: between the two it
 * knows when the next one is due. New jobs may wait for the one; the other keeps many workers from
 * asking without pause when jobs are due every moment.
 */
const LONGEST_WAIT_MS = 250;
const SHORTEST_WAIT_MS = 5;

/**
 * The sending side of a queue.
 * @param defaults what every job of it gets; finished jobs are removed, since a retained job id
 * would silently swallow the next job of the same id
 */
export function createQueue<Data>(
  name: string,
  connection: RedisClient,
  logger: Logger,
  defaults: JobsOptions = {},
): Queue<Data> {
  const queue = new Queue<Data>(name, {
    connection,
    prefix: PREFIX,
    // It would only warn, one line a queue; src/platform/redis-check.ts refuses instead.
    skipVersionCheck: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: { count: 1000 }, ...defaults },
  });
  // The connection's own handler has logged it, once an outage.
  queue.on('error', (error) => logger.debug({ queue: name, err: error }, 'queue error'));
  return queue as Queue<Data>;
}

/**
 * Workers ask, where BullMQ's own would wait in a blocking command on a second connection. That one
 * can fall silent for good when Redis fails over (https://github.com/taskforcesh/bullmq/issues/4138),
 * and what broke the wait starts it anew, with its whole length.
 */
const createAskingBackend: BackendFactory<RedisQueueBackend> = (name, options) => {
  const backend = createRedisBackend(name, options);
  backend.waitForJob = async (timeoutS) => {
    await sleep(Math.max(SHORTEST_WAIT_MS, Math.min(timeoutS * 1000, LONGEST_WAIT_MS)));
    return null;
  };
  return backend;
};

/** Does one job; an error it throws is logged and, with attempts left, retried. */
export type JobHandler<Data> = (job: Job<Data>, token: string | undefined) => Promise<void>;

export interface WorkerSettings {
  /** For jobs with `backoff: { type: 'custom' }`: milliseconds to wait after so many attempts. */
  retryDelayMs?: (attemptsMade: number) => number;
}

/**
 * The working side of a queue.
 * @param connection a connection of its own with role `jobs`
 * @param concurrency jobs at once in this process
 */
export function createWorker<Data>(
  name: string,
  connection: RedisClient,
  logger: Logger,
  concurrency: number,
  handle: JobHandler<Data>,
  { retryDelayMs }: WorkerSettings = {},
): Worker<Data> {
  const worker = new Worker<Data>(
    name,
    handle,
    {
      connection,
      prefix: PREFIX,
      concurrency,
      skipVersionCheck: true,
      lockDuration: LOCK_DURATION_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: ERROR_PAUSE_MS,
      removeOnComplete: { count: 0 },
      ...(retryDelayMs ? { settings: { backoffStrategy: retryDelayMs } } : {}),
    },
    createAskingBackend,
  );
  worker.on('error', (error) => logger.debug({ queue: name, err: error }, 'worker error'));
  worker.on('stalled', () => stalled.inc({ queue: name }));
  worker.on('failed', (job, error) =>
    logger.error({ queue: name, jobId: job?.id, err: error }, 'job failed'),
  );
  return worker;
}
