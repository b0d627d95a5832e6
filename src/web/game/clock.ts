// The countdown of a round. The service sends how much time remains; from then on the page counts on the monotonic
// clock, which nobody can set. A device whose time of day is wrong therefore shows the same ring as others.
import { useEffect, useState } from 'preact/hooks';

/** A deadline on this page's monotonic clock. */
export interface Countdown {
  endsAtMs: number;
  durationMs: number;
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

/** @returns the monotonic time in ms, updated every `intervalMs` */
export function useNow(intervalMs: number): number {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return nowMs;
}

/** @returns whether `momentMs` of the monotonic clock is in the future; re-renders when it no longer is */
export function useIsBefore(momentMs: number): boolean {
  const [, setTurn] = useState(0);
  const leftMs = momentMs - performance.now();
  useEffect(() => {
    if (leftMs <= 0) return;
    const timer = setTimeout(() => setTurn((turn) => turn + 1), leftMs + 1);
    return () => clearTimeout(timer);
  }, [momentMs]);
  return leftMs > 0;
}
