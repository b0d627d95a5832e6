// The two jobs of an email: one decides which email an address gets, if any, after a request has asked for one; the
// other sends it. The queues retry while a store or the provider is away. The job's id is the provider's idempotency
// key, so that a retry does not send an email twice.
import { SpanKind } from '@opentelemetry/api';
import { type Job, UnrecoverableError } from 'bullmq';
import { answerMailRequest } from '../src/auth/mail/answer-request.ts';
import { composeEmail } from '../src/auth/mail/emails.ts';
import { MailRequestJob, WrittenMail } from '../src/auth/mail/mail-queue.ts';
import type { CommonServices } from '../src/common-services.ts';
import { type Mailer, MailRefused } from '../src/platform/mailer.ts';
import { counter } from '../src/platform/observability/metrics.ts';
import { inSpan } from '../src/platform/observability/tracing.ts';

export const mails = counter(
  'quiz_mails_total',
  'Attempts to send an email: sent, failed (tried again), refused (given up), expired (not sent), withheld (its recipient has got RATE_LIMIT_MAIL_MAX).',
  ['outcome'],
);

function traced(name: string, handle: (job: Job) => Promise<void>) {
  return (job: Job): Promise<void> =>
    inSpan(name, { kind: SpanKind.CONSUMER, causedBy: job.opts.telemetry?.metadata }, () => handle(job));
}

export function answerRequest(deps: Pick<CommonServices, 'config' | 'db' | 'logger' | 'mailQueue' | 'redis'>) {
  return traced('mail write', async (job) => {
    const { data } = MailRequestJob.safeParse(job.data);
    if (!job.id || !data) throw new UnrecoverableError('not an email that can be asked for');
    const { mail: written, ...asked } = data;
    const mail = written ?? (await answerMailRequest(deps, asked, job.id));
    if (mail === 'withheld') mails.inc({ outcome: mail });
    if (mail === 'withheld' || mail === 'none') return;
    // A worker that takes over after a crash queues this email again, with the same link.
    if (!written) await job.updateData({ ...data, mail });
    await deps.mailQueue.enqueue(mail, job.id);
  });
}

export function sendMail({ mailer, logger }: Pick<CommonServices, 'logger'> & { mailer: Mailer }) {
  return traced('mail send', async ({ id: jobId, data }) => {
    const request = WrittenMail.safeParse(data);
    if (!jobId || !request.success) throw new UnrecoverableError('not an email that can be sent');
    const { to, expiresAt, ...mail } = request.data;
    const { kind, url } = mail;
    if (Date.parse(expiresAt) <= Date.now()) {
      mails.inc({ outcome: 'expired' });
      logger.warn({ jobId, kind }, 'email not sent: its link has expired');
      return;
    }
    try {
      await mailer.send({ to, url, ...composeEmail(mail) }, jobId);
    } catch (error) {
      const isRefused = error instanceof MailRefused;
      mails.inc({ outcome: isRefused ? 'refused' : 'failed' });
      throw isRefused ? new UnrecoverableError(error.message) : error;
    }
    mails.inc({ outcome: 'sent' });
    logger.debug({ jobId, kind }, 'email sent');
  });
}
