// The countdown of a round. The service sends how much time remains; from then on the page counts on the
// monotonic clock, which nobody can set. A device whose time of day is wrong therefore shows the same ring as
// others.

/** A deadline on this page's monotonic clock. */
export interface Countdown {
  endsAtMs: number;
  durationMs: number;
}

/** @returns ms since the page was opened, by the monotonic clock */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * @param timing the service's figures; its `deadline` is not used, since it is a time of day
 * @param nowMs when the message arrived, by the monotonic clock
 */
export function startCountdown(timing: { remainingMs: number; durationMs: number }, nowMs: number): Countdown {
  return { endsAtMs: nowMs + timing.remainingMs, durationMs: timing.durationMs };
}

/** @returns the time left at `nowMs`, from 0 to the whole duration */
export function remainingMs({ endsAtMs, durationMs }: Countdown, nowMs: number): number {
  return Math.min(durationMs, Math.max(0, endsAtMs - nowMs));
}

/** @returns whole seconds, rounded up, so that 0 means that the time is over */
export function remainingSeconds(countdown: Countdown, nowMs: number): number {
  return Math.ceil(remainingMs(countdown, nowMs) / 1000);
}
