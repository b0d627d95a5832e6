// The sending side of the account emails, in two queues. A request asks for an email to an address, and
// waits until that is queued; worker/answer-mail-wish.ts sees whether there is an account, writes the
// email and queues it; worker/send-mail.ts sends it. So a reply never tells whether one is sent, and
// each attempt to send an email sends the same one.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { countOutage } from '../platform/outage-log.ts';
import { createQueue, type QueueDeps, sharedPlace } from '../platform/queue.ts';
import type { QueuePlace } from '../platform/queue-look.ts';
import { currentTraceparent } from '../platform/tracing.ts';

export const MAIL_WISH_QUEUE = sharedPlace('mail-wish');
export const MAIL_QUEUE = sharedPlace('mail');

/** What a request asks for, whoever has the address. */
export const MailWish = z.strictObject({
  kind: z.enum(['sign-up', 'verification', 'password-reset']),
  /** Lower-cased. */
  to: z.string(),
  /** The claim that the link answers. */
  signUpId: z.uuid().optional(),
  /** Where the link leads in the end; better-auth has made sure that the page is trusted. */
  leadsTo: z.string().optional(),
});
export type MailWish = z.infer<typeof MailWish>;

/** What is sent. The link may hold a token: never log it outside the outbox. */
export const MailRequest = z.strictObject({
  kind: z.enum(['verification', 'password-reset', 'sign-up-attempt']),
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
   * Resolves when the wish is sure to be looked at.
   * @throws AppError UNAVAILABLE when Redis can't be asked
   */
  ask(wish: MailWish): Promise<void>;
  /**
   * As `ask`; resolves when the email is sure to be sent.
   * @param jobId of one that may have been queued before; it is not queued again while it waits
   */
  enqueue(mail: MailRequest, jobId?: string): Promise<void>;
  close(): Promise<void>;
}

/** @returns how long to wait before the next attempt, in milliseconds */
export function mailRetryDelayMs(attemptsMade: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attemptsMade - 1), MAX_RETRY_MS);
}

/** @param deps.redis a connection of role `commands` */
export function createMailQueue(deps: QueueDeps): MailQueue {
  const { logger } = deps;
  const open = (place: QueuePlace): Queue =>
    createQueue(place, deps, {
      attempts: ATTEMPTS,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: true,
    });
  const wishes = open(MAIL_WISH_QUEUE);
  const mails = open(MAIL_QUEUE);

  async function add(queue: Queue, data: MailWish | MailRequest, jobId: string): Promise<void> {
    const metadata = currentTraceparent();
    const queued = queue.add(data.kind, data, {
      jobId,
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
  }

  return {
    ask: (wish) => add(wishes, wish, randomUUID()),
    enqueue: (mail, jobId = randomUUID()) => add(mails, mail, jobId),
    async close() {
      await wishes.close();
      await mails.close();
    },
  };
}

async function rejectAfter(timeoutMs: number): Promise<never> {
  await sleep(timeoutMs, undefined, { ref: false });
  throw new Error('Command timed out');
}
