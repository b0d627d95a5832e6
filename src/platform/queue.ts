// BullMQ, with the settings that a game which can't be lost needs: a job that a killed worker held
// is taken up by another within about two seconds, and however often that happens, it is not given up.
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
import { countOutage } from './outage-log.ts';
import type { QueuePlace } from './queue-look.ts';
import { keepRedisTime } from './queue-time.ts';
import type { Followed, QueueWatch } from './queue-watch.ts';
import type { RedisClient } from './redis.ts';

const stalled = counter('quiz_jobs_stalled_total', 'Jobs taken over from a worker that died.', [
  'queue',
]);

/** Of all queues that need no slot of their own. */
const SHARED_PREFIX = '{quiz}';

/** A worker renews its lock at half this time; without renewal the job counts as stalled. */
const LOCK_DURATION_MS = 2000;
const STALLED_INTERVAL_MS = 1000;

/** The pause after an error of Redis, as in a failover. BullMQ's own is 15 s: a whole round. */
const ERROR_PAUSE_MS = 200;

/** How long a new job may lie unseen. When the next delayed one is due a worker knows. */
const LOOK_EVERY_MS = 250;

/** In this interval, in s, a worker asks also without a sign of a job. */
const ASK_ANYWAY_S = 60;

/** @returns where a queue is that shares the slot of most others */
export function sharedPlace(name: string): QueuePlace {
  return { name, prefix: SHARED_PREFIX };
}

/** What a queue is made with. */
export interface QueueDeps {
  redis: RedisClient;
  logger: Logger;
  /** The Redis server's time, ms. */
  nowMs(): number;
}

const createTimedBackend =
  (nowMs: () => number): BackendFactory<RedisQueueBackend> =>
  (name, options) => {
    const backend = createRedisBackend(name, options);
    keepRedisTime(backend, nowMs);
    return backend;
  };

/**
 * The sending side of a queue.
 * @param defaults what every job of it gets; finished jobs are removed, since a retained job id
 * would silently swallow the next job of the same id
 */
export function createQueue<Data>(
  { name, prefix }: QueuePlace,
  { redis, logger, nowMs }: QueueDeps,
  defaults: JobsOptions = {},
): Queue<Data> {
  const options = {
    connection: redis,
    prefix,
    // Nobody reads them.
    streams: { events: { maxLen: 100 } },
    // It would only warn, one line a queue; src/platform/redis-check.ts refuses instead.
    skipVersionCheck: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: { count: 1000 }, ...defaults },
  };
  const queue = new Queue<Data>(name, options, createTimedBackend(nowMs));
  // The connection's own handler has logged it, once an outage.
  queue.on('error', (error) => logger.debug({ queue: name, err: error }, 'queue error'));
  return queue as Queue<Data>;
}

/**
 * Workers look and ask, where BullMQ's own would wait in a blocking command on a second connection. That
 * one can fall silent for good when Redis fails over (https://github.com/taskforcesh/bullmq/issues/4138),
 * and what broke the wait starts it anew, with its whole length.
 */
function createLookingBackend(
  followed: Followed,
  nowMs: () => number,
): BackendFactory<RedisQueueBackend> {
  return (name, options) => {
    const backend = createTimedBackend(nowMs)(name, options);
    const { moveStalledJobsToWait, moveToActive, moveToDelayed } = backend;
    backend.waitForJob = async (timeoutS) => {
      await followed.untilDue(nowMs() + timeoutS * 1000);
      return null;
    };
    backend.disconnectBlocking = async () => followed.wake();
    // Only what somebody holds can be left behind.
    backend.moveStalledJobsToWait = async () =>
      followed.mayBeActive() ? moveStalledJobsToWait.call(backend) : [];
    // After each job BullMQ asks for the next one. While it waits for one already there is none.
    backend.moveToActive = async (token, workerName) =>
      followed.isWaiting() ? [] : moveToActive.call(backend, token, workerName);
    backend.moveToDelayed = (jobId, timestamp, delay, token, opts) =>
      moveToDelayed.call(backend, jobId, timestamp, delay, token, {
        ...opts,
        // For lua/look-at-queues.lua.
        fieldsToUpdate: { ...opts?.fieldsToUpdate, due: nowMs() + delay },
      });
    return backend;
  };
}

/** Does one job; an error it throws is logged and, with attempts left, retried. */
export type JobHandler<Data> = (job: Job<Data>, token: string | undefined) => Promise<void>;

export interface WorkerSettings {
  /** For jobs with `backoff: { type: 'custom' }`: milliseconds to wait after so many attempts. */
  retryDelayMs?: (attemptsMade: number) => number;
}

/** What the workers of a process share. */
export interface JobSource {
  /** A connection with role `jobs`. */
  connection: RedisClient;
  watch: QueueWatch;
  /** Resolves when the connection breaks, or at once without one. */
  whenLost(): Promise<void>;
  logger: Logger;
  /** The Redis server's time, ms. */
  nowMs(): number;
}

/**
 * The working side of a queue.
 * @param concurrency jobs at once in this process
 * @returns what ends it, after the jobs under way. Without Redis none of them can end: they are left to
 * whoever is there when it is back.
 */
export function createWorker<Data>(
  { connection, watch, whenLost, logger, nowMs }: JobSource,
  place: QueuePlace,
  concurrency: number,
  handle: JobHandler<Data>,
  { retryDelayMs }: WorkerSettings = {},
): { close(): Promise<void> } {
  const { name, prefix } = place;
  const followed = watch.follow(place, LOOK_EVERY_MS);
  const worker = new Worker<Data>(
    name,
    handle,
    {
      connection,
      prefix,
      concurrency,
      drainDelay: ASK_ANYWAY_S,
      skipVersionCheck: true,
      lockDuration: LOCK_DURATION_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: ERROR_PAUSE_MS,
      removeOnComplete: { count: 0 },
      ...(retryDelayMs ? { settings: { backoffStrategy: retryDelayMs } } : {}),
    },
    createLookingBackend(followed, nowMs),
  );
  worker.on('error', (error) => logger.debug({ queue: name, err: error }, 'worker error'));
  worker.on('stalled', () => stalled.inc({ queue: name }));
  worker.on('failed', (job, error) => {
    if (countOutage(logger, error)) return;
    logger.error({ queue: name, jobId: job?.id, err: error }, 'job failed');
  });
  return {
    async close() {
      await Promise.race([worker.close(), whenLost()]);
      followed.end();
    },
  };
}
