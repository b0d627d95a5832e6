// How long a round is still open. The service says how much time remains at the moment of sending;
// from then on only a clock counts that nobody can set, so that a device whose time is wrong by
// minutes shows the same ring as all others.

/** A deadline on this device's monotonic clock. */
export interface Countdown {
  endsAtMs: number;
  durationMs: number;
}

/** @returns the monotonic clock: milliseconds since the page was opened, never the time of day */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * @param told the service's `remainingMs` and `durationMs`; its `deadline` is of no use here
 * @param nowMs when the message arrived, by the monotonic clock
 */
export function startCountdown(
  told: { remainingMs: number; durationMs: number },
  nowMs: number,
): Countdown {
  return { endsAtMs: nowMs + told.remainingMs, durationMs: told.durationMs };
}

/** @returns what is left at `nowMs`, from 0 to the whole duration */
export function remainingMs({ endsAtMs, durationMs }: Countdown, nowMs: number): number {
  return Math.min(durationMs, Math.max(0, endsAtMs - nowMs));
}

/** @returns whole seconds as people count them down: the last one is 1, and 0 is the end */
export function remainingSeconds(countdown: Countdown, nowMs: number): number {
  return Math.ceil(remainingMs(countdown, nowMs) / 1000);
}
