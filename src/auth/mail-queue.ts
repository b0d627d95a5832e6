// The sending side of the account emails: a request waits until the email is queued, never for the
// provider. worker/send-mail.ts sends it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Logger } from '../platform/logger.ts';
import { countOutage } from '../platform/outage-log.ts';
import { createQueue } from '../platform/queue.ts';
import type { RedisClient } from '../platform/redis.ts';
import { currentTraceparent } from '../platform/tracing.ts';

export const MAIL_QUEUE = 'mail';

/** What is queued. The link holds a token: never log it outside the outbox. */
export const MailRequest = z.strictObject({
  kind: z.enum(['verification', 'password-reset']),
  to: z.string(),
  name: z.string(),
  url: z.string(),
  /** When the link is dead and the email pointless. */
  expiresAt: z.iso.datetime(),
});
export type MailRequest = z.infer<typeof MailRequest>;

/** About three hours in all: 2 s, 4 s, 8 s … and then every 10 minutes. */
const ATTEMPTS = 27;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 10 * 60_000;

/** How long queueing may take before the request fails. */
const ENQUEUE_TIMEOUT_MS = 1500;

export interface MailQueue {
  /**
   * Resolves when the email is sure to be sent.
   * @throws AppError UNAVAILABLE when Redis can't be asked
   */
  enqueue(mail: MailRequest): Promise<void>;
  close(): Promise<void>;
}

/** @returns how long to wait before the next attempt, in milliseconds */
export function mailRetryDelayMs(attemptsMade: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attemptsMade - 1), MAX_RETRY_MS);
}

/** @param redis a connection of role `commands` */
export function createMailQueue(redis: RedisClient, logger: Logger): MailQueue {
  const queue: Queue = createQueue(MAIL_QUEUE, redis, logger, {
    attempts: ATTEMPTS,
    backoff: { type: 'custom' },
    removeOnComplete: true,
    removeOnFail: true,
  });
  return {
    async enqueue(mail) {
      const metadata = currentTraceparent();
      const queued = queue.add(mail.kind, mail, {
        jobId: randomUUID(),
        // Beside the mail, not in it: a worker of an older version takes no field that it doesn't know.
        ...(metadata ? { telemetry: { metadata } } : {}),
      });
      queued.catch(() => {});
      try {
        // Before its first connection the queue would wait for Redis without end.
        await Promise.race([queued, rejectAfter(ENQUEUE_TIMEOUT_MS)]);
      } catch (error) {
        // The message alone: the driver's error carries the command, and with it the link.
        if (!countOutage(logger, error))
          logger.warn({ cause: (error as Error).message }, 'email not queued');
        throw new AppError('UNAVAILABLE', 'The email cannot be sent now. Try again shortly.');
      }
    },
    close: () => queue.close(),
  };
}

async function rejectAfter(timeoutMs: number): Promise<never> {
  await sleep(timeoutMs, undefined, { ref: false });
  throw new Error('Command timed out');
}
