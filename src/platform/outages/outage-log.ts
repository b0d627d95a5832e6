// Logs what fails while a store is away: one line when the outage begins, one a minute while it lasts, and one
// when it is over, each with the store and the number of refused requests, messages and jobs. A line for each of them
// would hide everything else in the log. [contract 17]
import type { Logger } from '../observability/logger.ts';
import { type StoreName, storeOf } from './outage.ts';

/**
 * An outage counts as over when for this many ms nothing was refused, and the store answered every check. It is longer
 * than the time between two checks, which is three seconds where the store does not answer.
 */
const OVER_AFTER_MS = 4000;
/** Pause between two reminders of an outage that goes on, in ms. */
const REMIND_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1000;

/** An outage in progress; times are by the monotonic clock. */
interface Outage {
  sinceMs: number;
  lastMs: number;
  remindAtMs: number;
  refused: number;
}

type LogTarget = Pick<Logger, 'warn' | 'error'>;

/** The outages that go on at the moment. A process has one log, and so one count for each store. */
const outages = new Map<StoreName, Outage>();

/**
 * Counts a refusal when a store that is away has caused it. The caller logs any other error; `logFailure` does both.
 * @returns whether `error` says that a store is away
 */
export function countOutage(logger: LogTarget, error: unknown): boolean {
  const store = storeOf(error);
  if (!store) return false;
  const nowMs = performance.now();
  const current = outages.get(store);
  if (current) {
    current.refused++;
    current.lastMs = nowMs;
    return true;
  }
  const outage = { sinceMs: nowMs, lastMs: nowMs, remindAtMs: nowMs + REMIND_EVERY_MS, refused: 1 };
  outages.set(store, outage);
  logger.warn({ store, err: error }, 'a store is away: what needs it is refused, and counted');
  watch(logger, store, outage);
  return true;
}

/** Notes that a check of the store has failed, so that an outage goes on although nothing asks for the store. */
export function noteAway(store: StoreName): void {
  const outage = outages.get(store);
  if (outage) outage.lastMs = performance.now();
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

/** Logs reminders while the outage goes on, and a summary when it is over. */
function watch(logger: LogTarget, store: StoreName, outage: Outage): void {
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const { sinceMs, lastMs, refused } = outage;
    const isOver = nowMs - lastMs >= OVER_AFTER_MS;
    if (!isOver && nowMs < outage.remindAtMs) return;
    outage.remindAtMs = nowMs + REMIND_EVERY_MS;
    const fields = { store, refused, durationMs: Math.round(lastMs - sinceMs) };
    logger.warn(fields, isOver ? 'a store was away' : 'a store is still away');
    if (!isOver) return;
    clearInterval(timer);
    outages.delete(store);
  }, LOOK_EVERY_MS);
  timer.unref();
}
