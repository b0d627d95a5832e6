// Decides which email an address gets, if any, after a request has asked for one. The queue retries while a
// store is away.
import { SpanKind } from '@opentelemetry/api';
import { type Job, UnrecoverableError } from 'bullmq';
import { answerMailWish, type LinkMailDeps } from '../src/auth/mail/link-mails.ts';
import { type MailQueue, MailWishJob } from '../src/auth/mail/mail-queue.ts';
import { inSpan } from '../src/platform/observability/tracing.ts';
import { mails } from './send-mail.ts';

/** @returns the handler of the queue of requested emails */
export function answerWish(deps: LinkMailDeps & { mailQueue: MailQueue }) {
  return (job: Job): Promise<void> =>
    inSpan('mail write', { kind: SpanKind.CONSUMER, causedBy: job.opts.telemetry?.metadata }, () => answer(job));

  async function answer(job: Job): Promise<void> {
    const { data } = MailWishJob.safeParse(job.data);
    if (!job.id || !data) throw new UnrecoverableError('not an email that can be asked for');
    const { mail: written, ...wish } = data;
    const mail = written ?? (await answerMailWish(deps, wish, job.id));
    if (mail === 'withheld') mails.inc({ outcome: mail });
    if (mail === 'withheld' || mail === 'none') return;
    // A worker that takes over after a crash queues this email again, with the same link. The job's id is the
    // provider's idempotency key, so that the email is sent once.
    if (!written) await job.updateData({ ...data, mail });
    await deps.mailQueue.enqueue(mail, job.id);
  }
}
