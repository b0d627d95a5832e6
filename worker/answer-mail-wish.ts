// Decides which email an address gets, if any, after a request has asked for one. The queue retries while a
// store is away.
import { SpanKind } from '@opentelemetry/api';
import { type Job, UnrecoverableError } from 'bullmq';
import { answerMailWish, type LinkMailDeps } from '../src/auth/mail/link-mails.ts';
import { MailWish } from '../src/auth/mail/mail-queue.ts';
import { inSpan } from '../src/platform/observability/tracing.ts';
import { mails } from './send-mail.ts';

/** @returns the handler of the queue of requested emails */
export function answerWish(deps: LinkMailDeps) {
  return ({ id: jobId, data, opts }: Job): Promise<void> =>
    inSpan('mail write', { kind: SpanKind.CONSUMER, causedBy: opts.telemetry?.metadata }, () =>
      answer(jobId, data),
    );

  async function answer(jobId: string | undefined, data: unknown): Promise<void> {
    const wish = MailWish.safeParse(data);
    if (!jobId || !wish.success) throw new UnrecoverableError('not an email that can be asked for');
    const outcome = await answerMailWish(deps, wish.data, jobId);
    if (outcome === 'withheld') mails.inc({ outcome });
  }
}
