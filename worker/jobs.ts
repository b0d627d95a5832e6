// Starts all jobs of a worker.
import { finishDeletions, removeGuests } from '../src/accounts/delete-account.ts';
import { MAIL_QUEUE, MAIL_WISH_QUEUE, mailRetryDelayMs } from '../src/auth/mail/mail-queue.ts';
import type { CommonServices } from '../src/common-services.ts';
import { clockPlaces, clockRetryDelayMs } from '../src/match/clock/clock.ts';
import { restoreClocks } from '../src/match/clock/restore-clocks.ts';
import { createMailer } from '../src/platform/mailer.ts';
import { answerWish } from './answer-mail-wish.ts';
import { type Consumer, consume, openJobSource } from './consume.ts';
import { startLearning } from './learn.ts';
import { maintain } from './maintain.ts';
import { measure } from './measure.ts';
import { removeExpired } from './remove-expired.ts';
import { idleSweepMs, removeIdleLobbies } from './remove-idle-lobbies.ts';
import { runClocks } from './run-clocks.ts';
import { sendMail } from './send-mail.ts';

const MINUTE_MS = 60_000;

/** How many clocks of a queue run at once: many, so that no game waits for another one's slow store. */
const CLOCKS_AT_ONCE = 500;

/** Starts the consumers. @returns `close`, which waits for the running jobs, for 15 s at most */
export function startJobs(services: CommonServices): Consumer {
  const { config, logger } = services;
  const mailer = createMailer(config, logger);
  const source = openJobSource(services);
  const retries = { retryDelayMs: mailRetryDelayMs };
  const consumers = [
    // Requested emails are handled one at a time, so that they are sent in their order.
    consume(source, MAIL_WISH_QUEUE, 1, answerWish(services), retries),
    consume(source, MAIL_QUEUE, 5, sendMail({ mailer, logger }), retries),
    ...clockPlaces(config.clockQueues).map((place) =>
      consume(source, place, CLOCKS_AT_ONCE, runClocks(services), { retryDelayMs: clockRetryDelayMs }),
    ),
    maintain(services, source, [
      { name: 'remove-expired', everyMs: 10 * MINUTE_MS, run: () => removeExpired(services) },
      { name: 'finish-deletions', everyMs: 10_000, run: () => finishDeletions(services) },
      { name: 'remove-guests', everyMs: 10 * MINUTE_MS, run: () => removeGuests(services) },
      { name: 'restore-clocks', everyMs: 5_000, run: () => restoreClocks(services) },
      { name: 'remove-idle-lobbies', everyMs: idleSweepMs(services), run: () => removeIdleLobbies(services) },
    ]),
    startLearning(services),
    measure(services),
  ];
  return {
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await source.close();
    },
  };
}
