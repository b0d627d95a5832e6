// Logs what fails while a store is away, or cancels statements: one line when the outage begins, one a minute while it
// lasts, and one when it is over, each with the store and the number of refused requests, messages and jobs. A line for
// each of them would hide everything else in the log. [contract 17]
import type { Logger } from '../observability/logger.ts';
import { isCancelled, type StoreName, storeOf } from './outage.ts';

/** The texts of the log, and after how many ms without a refusal an outage counts as over. */
const KINDS = {
  away: {
    begins: 'a store is away: what needs it is refused, and counted',
    goesOn: 'a store is still away',
    ends: 'a store was away',
    // The store is checked more often, and each check that fails prolongs the outage.
    overAfterMs: 4000,
  },
  cancels: {
    begins: 'a store cancels statements that take too long: what needs them is refused, and counted',
    goesOn: 'a store still cancels statements',
    ends: 'a store has stopped cancelling statements',
    // No check notices a locked table, only the work that needs it; the workers' chores do every five seconds.
    overAfterMs: 15_000,
  },
};
type OutageKind = keyof typeof KINDS;

/** Pause between two reminders of an outage that goes on, in ms. */
const REMIND_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1000;

type LogTarget = Pick<Logger, 'warn' | 'error'>;

/** The outages that go on at the moment. A process has one log, and so one count for each store and kind. */
const outages = new Map<`${StoreName} ${OutageKind}`, ReturnType<typeof begin>>();

/** Counts a refusal when a store has caused it; the caller logs any other error. @returns whether it has */
export function countOutage(logger: LogTarget, error: unknown): boolean {
  const store = storeOf(error);
  if (!store) return false;
  const kind = isCancelled(error) ? 'cancels' : 'away';
  const outage = outages.get(`${store} ${kind}`) ?? begin(logger, store, kind, error);
  outage.refused++;
  outage.lastMs = performance.now();
  return true;
}

function begin(logger: LogTarget, store: StoreName, kind: OutageKind, error: unknown) {
  const { begins, goesOn, ends, overAfterMs } = KINDS[kind];
  const sinceMs = performance.now();
  const outage = { lastMs: sinceMs, refused: 0 };
  outages.set(`${store} ${kind}`, outage);
  logger.warn({ store, err: error }, begins);
  let remindAtMs = sinceMs + REMIND_EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const { lastMs, refused } = outage;
    const isOver = nowMs - lastMs >= overAfterMs;
    if (!isOver && nowMs < remindAtMs) return;
    remindAtMs = nowMs + REMIND_EVERY_MS;
    logger.warn({ store, refused, durationMs: Math.round(lastMs - sinceMs) }, isOver ? ends : goesOn);
    if (!isOver) return;
    clearInterval(timer);
    outages.delete(`${store} ${kind}`);
  }, LOOK_EVERY_MS).unref();
  return outage;
}

/** Notes that a check of the store has failed, so that an outage goes on although nothing asks for the store. */
export function noteAway(store: StoreName): void {
  const outage = outages.get(`${store} away`);
  if (outage) outage.lastMs = performance.now();
}

/** Logs a failure, or counts it in an outage. @param level `warn` where the work is tried again by itself */
export function logFailure(
  logger: LogTarget,
  level: keyof LogTarget,
  error: unknown,
  message: string,
  fields: object = {},
): void {
  if (!countOutage(logger, error)) logger[level]({ ...fields, err: error }, message);
}
