// The two queues of the account emails. An HTTP request queues a request for an email; worker/mail.ts looks the account
// up, queues the written email, and then sends it. So a reply never reveals whether an email is sent, and every attempt
// sends the same email.
import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { PAGE_LANGUAGES } from '../../names/languages.ts';
import { currentTraceparent } from '../../platform/observability/tracing.ts';
import { withTimeout } from '../../platform/outages/outage.ts';
import { countOutage } from '../../platform/outages/outage-log.ts';
import { createQueue, sharedPlace } from '../../platform/queues/queue.ts';
import type { Services } from '../../services.ts';
import { NOTICES } from './emails.ts';

/** The requests for emails. Jobs that wait in Redis, and the alerts, know the queue by this name. */
export const MAIL_REQUEST_QUEUE = sharedPlace('mail-request');
export const MAIL_QUEUE = sharedPlace('mail');

export const MailRequest = z.strictObject({
  kind: z.enum(['sign-up', 'verification', 'password-reset', ...NOTICES]),
  /** In lower case. */
  to: z.string(),
  /** The claim of the address that the link confirms. */
  signUpId: z.uuid().optional(),
  /** The hash of the cookie of the browser whose sign-in asks for the link. */
  askedBy: z.string().optional(),
  /** The page to which the link redirects in the end. better-auth has checked that it is trusted. */
  leadsTo: z.string().optional(),
  /** The language of the page or browser that asks, for whom no other one is known. */
  language: z.enum(PAGE_LANGUAGES).optional(),
});
export type MailRequest = z.infer<typeof MailRequest>;

/** An email to send. Its link may have a token, which must not be logged. */
export const WrittenMail = z.strictObject({
  kind: z.enum(['verification', 'password-reset', 'sign-up-attempt', ...NOTICES]),
  to: z.string(),
  /** The name for the greeting; absent if a stranger may have chosen it. */
  name: z.string().optional(),
  language: z.enum(PAGE_LANGUAGES),
  url: z.string(),
  /** When the link expires; the email is not sent after that. */
  expiresAt: z.iso.datetime(),
});
export type WrittenMail = z.infer<typeof WrittenMail>;

/** The data of a request's job, which has the written email as soon as there is one. */
export const MailRequestJob = z.strictObject({ ...MailRequest.shape, mail: WrittenMail.optional() });

/** The number of attempts: after 2 s, 4 s, 8 s … and then every 10 minutes, about three hours in all. */
const ATTEMPTS = 27;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 10 * 60_000;
/** The longest time that queueing may take before the request fails, ms. */
const ENQUEUE_TIMEOUT_MS = 1500;

export type MailQueue = ReturnType<typeof createMailQueue>;

export const mailRetryDelayMs = (attemptsMade: number) =>
  Math.min(FIRST_RETRY_MS * 2 ** (attemptsMade - 1), MAX_RETRY_MS);

export function createMailQueue(deps: Pick<Services, 'logger' | 'queueRedis'>) {
  const ofJobs = { attempts: ATTEMPTS, backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: true };
  const requests = createQueue(MAIL_REQUEST_QUEUE, deps, ofJobs);
  const mails = createQueue(MAIL_QUEUE, deps, ofJobs);

  async function add(queue: Queue, data: MailRequest | WrittenMail, jobId: string): Promise<void> {
    const metadata = currentTraceparent();
    // The trace is a field beside the mail, whose schema refuses unknown fields.
    const queued = queue.add(data.kind, data, { jobId, ...(metadata && { telemetry: { metadata } }) });
    // BullMQ waits without a limit for its first connection.
    await withTimeout(queued, ENQUEUE_TIMEOUT_MS).catch((error: Error) => {
      // Only the message is logged: the driver's error has the command, and with it the link.
      if (!countOutage(deps.logger, error)) deps.logger.warn({ cause: error.message }, 'email not queued');
      throw new AppError('UNAVAILABLE', 'The email cannot be sent now. Try again shortly.');
    });
  }

  return {
    /** Resolves when the request is stored. @throws AppError UNAVAILABLE if Redis can't be reached */
    ask: (request: MailRequest) => add(requests, request, randomUUID()),
    /** As `ask`. @param jobId may have been used before; a waiting email is not queued twice */
    enqueue: (mail: WrittenMail, jobId: string = randomUUID()) => add(mails, mail, jobId),
    close: async () => void (await Promise.all([requests.close(), mails.close()])),
  };
}
