// Runs the clocks of the games: a clock is a job that runs when it is due, and is then delayed again.
import { DelayedError, UnrecoverableError } from 'bullmq';
import { ClockJob } from '../src/match/clock/clock.ts';
import { runClock } from '../src/match/clock/run-clock.ts';
import type { MatchDeps } from '../src/match/deps.ts';
import type { JobHandler } from '../src/platform/queues/queue.ts';

/**
 * The shortest delay in ms. When the clocks of two servers differ a little, a job runs before its deadline,
 * and would otherwise run again without a pause.
 */
const DELAY_MIN_MS = 5;

/** @returns the handler of the queues of clocks */
export function runClocks(deps: MatchDeps): JobHandler<unknown> {
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
