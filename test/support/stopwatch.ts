// Measures durations for the contract's time limits, without the time that the machine spent on other work.
import { onTestFinished, vi } from 'vitest';

const TICK_MS = 20;

/**
 * Measures `act` by the wall clock, less the time in which this process, with the service in it, was ready to
 * run but got no CPU. Time in which the service keeps its own process busy counts in full.
 * @returns the result of `act` and its duration, ms
 */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startMs = performance.now();
  let stolenMs = 0;
  let lastMs = startMs;
  let lastUsedMs = usedMs();

  function sample(): void {
    const [nowMs, nowUsedMs] = [performance.now(), usedMs()];
    stolenMs += Math.max(0, nowMs - lastMs - TICK_MS - (nowUsedMs - lastUsedMs));
    [lastMs, lastUsedMs] = [nowMs, nowUsedMs];
  }

  const ticking = setInterval(sample, TICK_MS);
  try {
    const result = await act();
    sample();
    return { result, tookMs: performance.now() - startMs - stolenMs };
  } finally {
    clearInterval(ticking);
  }
}

/** @returns the CPU time of all threads of this process, ms */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const now = performance.now.bind(performance);
let advancedMs = 0;

/**
 * Advances the monotonic clock of this process until the end of the test. Timers keep their real time.
 * @param ms how far, at once; further calls add to it
 */
export function advanceTime(ms: number): void {
  advancedMs += ms;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + advancedMs);
  onTestFinished(() => {
    advancedMs = 0;
    clock.mockRestore();
  });
}
