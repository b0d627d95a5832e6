// Sends emails through Resend. Without its key, which production requires, emails are appended to a file that a
// person or a test can read. [contract 6]
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Resend } from 'resend';
import type { Config } from '../config.ts';
import type { Logger } from './observability/logger.ts';

/** The link that an email is about is in `url` too. */
export type Mail = Record<'to' | 'subject' | 'text' | 'html' | 'url', string>;

export interface Mailer {
  /**
   * @param idempotencyKey the provider sends only one email with the same key within a day
   * @throws MailRefused when another attempt would be refused too; any other Error when it may succeed
   */
  send(mail: Mail, idempotencyKey: string): Promise<void>;
}

/** The provider refuses this email for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const SEND_TIMEOUT_MS = 10_000;

export function createMailer({ mail }: Pick<Config, 'mail'>, logger: Logger): Mailer {
  const { resendApiKey, resendBaseUrl, from, outbox } = mail;
  return resendApiKey ? resendMailer(resendApiKey, resendBaseUrl, from) : outboxMailer(outbox, logger);
}

function resendMailer(key: string, baseUrl: string | undefined, from: string): Mailer {
  const resend = new Resend(key, baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, '') } : {});
  return {
    async send({ to, subject, text, html }, idempotencyKey) {
      const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
      const { error } = await resend.emails.send({ from, to, subject, text, html }, { idempotencyKey, signal });
      if (!error) return;
      const { name, statusCode } = error;
      const reason = `Resend: ${name} (${statusCode ?? 'no answer'})`;
      // An invalid email stays invalid, while a wrong key, a rate limit or a failure of the provider may pass.
      const isFinal = name === 'validation_error' || [400, 413, 422].includes(statusCode ?? 0);
      throw isFinal ? new MailRefused(reason) : new Error(reason);
    },
  };
}

function outboxMailer(file: string, logger: Logger): Mailer {
  return {
    async send({ to, subject, text, html, url }) {
      await mkdir(dirname(file), { recursive: true });
      // A line is one write in append mode, so that lines of several processes don't mix.
      await appendFile(file, `${JSON.stringify({ to, subject, text, html, url })}\n`);
      logger.info({ to, url }, 'email written to the outbox');
    },
  };
}
