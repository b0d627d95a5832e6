// What an outage of a store refuses, in a few lines with a count, however many requests and messages
// it refuses: one at once, one a minute while it lasts, one when it is over. [contract 17]
import type { Logger } from './logger.ts';
import { isOutage } from './outage.ts';

/** So long without a refusal, and it counts as over. */
const OVER_AFTER_MS = 3000;
const REMIND_EVERY_MS = 60_000;

interface Outage {
  sinceMs: number;
  lastMs: number;
  remindAtMs: number;
  refused: number;
}

type LogTarget = Pick<Logger, 'warn'>;

/** A process has one log, and so one account of what it had to refuse. */
let current: Outage | null = null;

/**
 * Counts what was refused because a store is away. Whatever else failed is the caller's to log:
 * `if (!countOutage(logger, error)) logger.error({ err: error }, 'message failed')`.
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

/** Tells in time how much was refused. */
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
