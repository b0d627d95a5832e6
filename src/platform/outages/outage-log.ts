// Logs what fails while a store is away: one line when the outage begins, one a minute while it lasts, and one
// when it is over, each with the number of refused requests, messages and jobs. A line for each of them would
// hide everything else in the log. [contract 17]
import type { Logger } from '../observability/logger.ts';
import { isOutage } from './outage.ts';

/** An outage counts as over when nothing was refused for this many ms. */
const OVER_AFTER_MS = 3000;
/** Pause between two reminders of an outage that goes on, in ms. */
const REMIND_EVERY_MS = 60_000;

/** An outage in progress; times are by the monotonic clock. */
interface Outage {
  sinceMs: number;
  lastMs: number;
  remindAtMs: number;
  refused: number;
}

type LogTarget = Pick<Logger, 'warn' | 'error'>;

/** The outage that goes on at the moment. A process has one log, and so one count for all stores. */
let current: Outage | null = null;

/**
 * Counts a refusal when a store that is away has caused it. The caller logs any other error; `logFailure` does both.
 * @returns whether `error` says that a store is away
 */
export function countOutage(logger: LogTarget, error: unknown): boolean {
  if (!isOutage(error)) return false;
  const nowMs = performance.now();
  if (current) {
    current.refused++;
    current.lastMs = nowMs;
    return true;
  }
  current = { sinceMs: nowMs, lastMs: nowMs, remindAtMs: nowMs + REMIND_EVERY_MS, refused: 1 };
  logger.warn({ err: error }, 'a store is away: what needs it is refused, and counted');
  watch(logger, current);
  return true;
}

/**
 * Logs a failure that nobody else reports. One that an outage explains is counted instead.
 * @param level `warn` where the work is tried again by itself
 * @param fields what the line has beside the error
 */
export function logFailure(
  logger: LogTarget,
  level: keyof LogTarget,
  error: unknown,
  message: string,
  fields: object = {},
): void {
  if (!countOutage(logger, error)) logger[level]({ ...fields, err: error }, message);
}

/** Logs reminders while refusals go on, and a summary when there are no more. */
function watch(logger: LogTarget, outage: Outage): void {
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const { sinceMs, lastMs, refused } = outage;
    const isOver = nowMs - lastMs >= OVER_AFTER_MS;
    if (!isOver && nowMs < outage.remindAtMs) return;
    outage.remindAtMs = nowMs + REMIND_EVERY_MS;
    const fields = { refused, durationMs: Math.round(lastMs - sinceMs) };
    logger.warn(fields, isOver ? 'a store was away' : 'a store is still away');
    if (!isOver) return;
    clearInterval(timer);
    current = null;
  }, OVER_AFTER_MS / 3);
  timer.unref();
}
