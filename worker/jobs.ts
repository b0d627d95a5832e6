// Everything that a worker does, one line a job.
import { finishDeletions, removeGuests } from '../src/accounts/delete-account.ts';
import { MAIL_QUEUE, MAIL_WISH_QUEUE, mailRetryDelayMs } from '../src/auth/mail-queue.ts';
import { createMailer } from '../src/platform/mailer.ts';
import type { Services } from '../src/services.ts';
import { answerWish } from './answer-mail-wish.ts';
import { type Consumer, consume, openJobSource } from './consume.ts';
import { maintain } from './maintain.ts';
import { measure } from './measure.ts';
import { removeExpired } from './remove-expired.ts';
import { idleSweepMs, removeIdleLobbies } from './remove-idle-lobbies.ts';
import { sendMail } from './send-mail.ts';
import { serveClocks } from './serve-clocks.ts';
import { sweepClocks } from './sweep-clocks.ts';
import { startWritingReviews } from './write-reviews.ts';

const MINUTE_MS = 60_000;

/** Starts the consumers. @returns what stops them, after the jobs under way */
export function startJobs(services: Services): Consumer {
  const { config, logger } = services;
  const mailer = createMailer(config, logger);
  const source = openJobSource(services);
  const retries = { retryDelayMs: mailRetryDelayMs };
  const consumers = [
    // One at a time, so that emails come in the order in which they were asked for.
    consume(source, MAIL_WISH_QUEUE, 1, answerWish(services), retries),
    consume(source, MAIL_QUEUE, 5, sendMail({ mailer, logger }), retries),
    serveClocks(services, source),
    maintain(services, source, [
      { name: 'remove-expired', everyMs: 10 * MINUTE_MS, run: () => removeExpired(services) },
      { name: 'finish-deletions', everyMs: 10_000, run: () => finishDeletions(services) },
      { name: 'remove-guests', everyMs: 10 * MINUTE_MS, run: () => removeGuests(services) },
      { name: 'sweep-clocks', everyMs: 5_000, run: () => sweepClocks(services) },
      {
        name: 'remove-idle-lobbies',
        everyMs: idleSweepMs(services),
        run: () => removeIdleLobbies(services),
      },
    ]),
    startWritingReviews(services),
    measure(services),
  ];
  return {
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await source.close();
    },
  };
}
