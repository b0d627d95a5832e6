// The places of all queues of the service, and the consumers of a worker process. They share one connection, and BullMQ
// gives each a second one, on which it waits for jobs.
import { MAIL_QUEUE, MAIL_REQUEST_QUEUE } from '../src/auth/mail/mail-queue.ts';
import type { CommonServices } from '../src/common-services.ts';
import { clockPlaces } from '../src/match/clock/clock.ts';
import { type JobSource, type QueuePlace, sharedPlace } from '../src/platform/queues/queue.ts';
import { connectRedis } from '../src/platform/redis/redis.ts';

export const CHORES_QUEUE = sharedPlace('chores');

/** @param clockQueues the number of queues that share the games' clocks */
export function allQueues(clockQueues: number): QueuePlace[] {
  return [...clockPlaces(clockQueues), MAIL_REQUEST_QUEUE, MAIL_QUEUE, CHORES_QUEUE];
}

export interface Consumer {
  /** Takes no more jobs, and waits for the running ones, for 15 s at most, unless Redis goes away. */
  close(): Promise<void>;
}

/** Opens the connection that all consumers share; it must be closed after them. */
export function openJobSource({ config, logger }: Pick<CommonServices, 'config' | 'logger'>): JobSource & Consumer {
  const connection = connectRedis(config.redis, 'jobs', logger);
  let lost: Promise<void> | undefined;
  return {
    connection,
    logger,
    async whenLost() {
      if (connection.status !== 'ready') return;
      // All callers share one listener.
      lost ??= new Promise((resolve) => connection.once('close', resolve));
      await lost;
    },
    close: async () => connection.disconnect(),
  };
}
