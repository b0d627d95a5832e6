// The monotonic time as state that re-renders a component.
import { useEffect, useState } from 'preact/hooks';
import { monotonicMs } from '../game/clock.ts';

/** @returns the monotonic time in ms, updated every `intervalMs` */
export function useNow(intervalMs: number): number {
  const [nowMs, setNowMs] = useState(monotonicMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(monotonicMs()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return nowMs;
}

/** @returns whether `momentMs` of the monotonic clock is in the future; re-renders when it no longer is */
export function useIsBefore(momentMs: number): boolean {
  const [, setTurn] = useState(0);
  const leftMs = momentMs - monotonicMs();
  useEffect(() => {
    if (leftMs <= 0) return;
    const timer = setTimeout(() => setTurn((turn) => turn + 1), leftMs + 1);
    return () => clearTimeout(timer);
  }, [momentMs]);
  return leftMs > 0;
}
