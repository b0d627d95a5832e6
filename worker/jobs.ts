// Starts all jobs of a worker, and the console that it serves.
import { DelayedError, UnrecoverableError } from 'bullmq';
import { finishDeletions, removeGuests } from '../src/accounts/delete-account.ts';
import { MAIL_QUEUE, MAIL_REQUEST_QUEUE, mailRetryDelayMs } from '../src/auth/mail/mail-queue.ts';
import type { CommonServices } from '../src/common-services.ts';
import { createConsole } from '../src/console/console.ts';
import { ClockJob, clockPlaces, clockRetryDelayMs } from '../src/match/clock/clock.ts';
import { restoreClocks } from '../src/match/clock/restore-clocks.ts';
import { runClock } from '../src/match/clock/run-clock.ts';
import type { MatchServices } from '../src/match/store.ts';
import { createMailer } from '../src/platform/mailer.ts';
import { type Consumer, createWorker, type JobHandler, openJobSource } from '../src/platform/queues/queue.ts';
import { startLearning } from './learn.ts';
import { answerRequest, sendMail } from './mail.ts';
import { maintain } from './maintain.ts';
import { allQueues, measure } from './measure.ts';
import { idleSweepMs, removeExpired, removeIdleLobbies } from './remove-expired.ts';

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
    createWorker(source, MAIL_REQUEST_QUEUE, 1, answerRequest(services), retries),
    createWorker(source, MAIL_QUEUE, 5, sendMail({ mailer, logger }), retries),
    ...clockPlaces(config.clockQueues).map((place) =>
      createWorker(source, place, CLOCKS_AT_ONCE, runClocks(services), { retryDelayMs: clockRetryDelayMs }),
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

/** The shortest delay in ms: where two servers' clocks differ, an early job would run again without a pause. */
const DELAY_MIN_MS = 5;

export function runClocks(deps: MatchServices): JobHandler<unknown> {
  return async (job, token) => {
    const clock = ClockJob.safeParse(job.data);
    if (!clock.success) throw new UnrecoverableError(`not the clock of a game: ${clock.error}`);
    const next = await runClock(deps, clock.data);
    if (!next) return;
    const delayMs = Math.max(next.delayMs, DELAY_MIN_MS);
    await job.updateData({ ...next.data, dueMs: deps.nowMs() + delayMs });
    // BullMQ compares the time with that of the worker's machine, and not with that of Redis.
    await job.moveToDelayed(Date.now() + delayMs, token);
    throw new DelayedError();
  };
}

/** @returns the operator's console, which a replica does not serve, so that it stays small */
export function startConsole(services: CommonServices) {
  const { consoleToken, clockQueues } = services.config;
  if (!consoleToken) return undefined;
  return createConsole(consoleToken, { ...services, queuePlaces: allQueues(clockQueues) });
}
