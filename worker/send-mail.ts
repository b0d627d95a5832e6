// Sends a queued email. The queue retries until the provider accepts the email or refuses it for good, or its
// link has expired. The job's id is the idempotency key, so that a retry does not send an email twice.
import { SpanKind } from '@opentelemetry/api';
import { type Job, UnrecoverableError } from 'bullmq';
import {
  isNotice,
  type Notice,
  noticeEmail,
  passwordResetEmail,
  signUpAttemptEmail,
  verificationEmail,
} from '../src/auth/mail/emails.ts';
import { MailRequest } from '../src/auth/mail/mail-queue.ts';
import { type Mailer, MailRefused } from '../src/platform/mailer.ts';
import type { Logger } from '../src/platform/observability/logger.ts';
import { counter } from '../src/platform/observability/metrics.ts';
import { inSpan } from '../src/platform/observability/tracing.ts';

export const mails = counter(
  'quiz_mails_total',
  'Attempts to send an email: sent, failed (tried again), refused (given up), expired (not sent), withheld (its recipient has got RATE_LIMIT_MAIL_MAX).',
  ['outcome'],
);

const TEMPLATES = {
  verification: verificationEmail,
  'password-reset': passwordResetEmail,
  'sign-up-attempt': signUpAttemptEmail,
} satisfies Record<Exclude<MailRequest['kind'], Notice>, unknown>;

/** @returns the handler of the mail queue */
export function sendMail({ mailer, logger }: { mailer: Mailer; logger: Logger }) {
  return ({ id: jobId, data, opts }: Job): Promise<void> =>
    inSpan('mail send', { kind: SpanKind.CONSUMER, causedBy: opts.telemetry?.metadata }, () => send(jobId, data));

  async function send(jobId: string | undefined, data: unknown): Promise<void> {
    const request = MailRequest.safeParse(data);
    if (!jobId || !request.success) throw new UnrecoverableError('not an email that can be sent');
    const { kind, to, name, url, expiresAt } = request.data;
    if (Date.parse(expiresAt) <= Date.now()) {
      mails.inc({ outcome: 'expired' });
      logger.warn({ jobId, kind }, 'email not sent: its link has expired');
      return;
    }
    try {
      const content = isNotice(kind) ? noticeEmail(kind, { name }, url) : TEMPLATES[kind]({ name }, url);
      await mailer.send({ to, url, ...content }, jobId);
    } catch (error) {
      const isRefused = error instanceof MailRefused;
      mails.inc({ outcome: isRefused ? 'refused' : 'failed' });
      throw isRefused ? new UnrecoverableError(error.message) : error;
    }
    mails.inc({ outcome: 'sent' });
    logger.debug({ jobId, kind }, 'email sent');
  }
}
