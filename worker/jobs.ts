// Everything that a worker does, one line a job.
import { finishDeletions } from '../src/accounts/delete-account.ts';
import { MAIL_QUEUE, MAIL_WISH_QUEUE, mailRetryDelayMs } from '../src/auth/mail-queue.ts';
import { CLOCK_QUEUE, type ClockJob } from '../src/match/clock.ts';
import { tick } from '../src/match/tick.ts';
import { createMailer } from '../src/platform/mailer.ts';
import type { Services } from '../src/services.ts';
import { answerWish } from './answer-mail-wish.ts';
import { type Consumer, consume } from './consume.ts';
import { maintain } from './maintain.ts';
import { measure } from './measure.ts';
import { removeExpired } from './remove-expired.ts';
import { idleSweepMs, removeIdleLobbies } from './remove-idle-lobbies.ts';
import { sendMail } from './send-mail.ts';
import { sweepClocks } from './sweep-clocks.ts';

const MINUTE_MS = 60_000;

/** So many, that no game waits for another one's slow store. */
const GAMES_AT_ONCE = 1000;

/** Starts the consumers. @returns what stops them, after the jobs under way */
export function startJobs(services: Services): Consumer {
  const { config, logger } = services;
  const mailer = createMailer(config, logger);
  const retries = { retryDelayMs: mailRetryDelayMs };
  const consumers = [
    // One at a time, so that emails come in the order in which they were asked for.
    consume(services, MAIL_WISH_QUEUE, 1, answerWish(services), retries),
    consume(services, MAIL_QUEUE, 5, sendMail({ mailer, logger }), retries),
    consume<ClockJob>(services, CLOCK_QUEUE, GAMES_AT_ONCE, (job, token) =>
      tick(services, job, token),
    ),
    maintain(services, [
      { name: 'remove-expired', everyMs: 10 * MINUTE_MS, run: () => removeExpired(services) },
      { name: 'finish-deletions', everyMs: 10_000, run: () => finishDeletions(services) },
      { name: 'sweep-clocks', everyMs: 5_000, run: () => sweepClocks(services) },
      {
        name: 'remove-idle-lobbies',
        everyMs: idleSweepMs(services),
        run: () => removeIdleLobbies(services),
      },
    ]),
    measure(services),
  ];
  return {
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
    },
  };
}
