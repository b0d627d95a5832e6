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

/** @returns the CPU time of `act`, ms, summed over all threads of this process */
export async function cpuMs(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How often two costs are compared before the dearer one counts as too dear. */
const COMPARISONS_MAX = 12;

/**
 * Compares what two acts cost at least. They run in turn, so that whatever slows the machine down slows both;
 * as soon as the ratio is below the limit, the comparison ends.
 * @param limit the ratio that `act` should stay below
 * @param floor what `act` is compared with
 * @returns the least processor time of `act` ÷ that of `floor`
 */
export async function costRatio(limit: number, act: () => unknown, floor: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  let leastOfFloor = Number.POSITIVE_INFINITY;
  for (let left = COMPARISONS_MAX; left > 0 && !(least / leastOfFloor < limit); left--) {
    leastOfFloor = Math.min(leastOfFloor, await cpuMs(floor));
    least = Math.min(least, await cpuMs(act));
  }
  return least / leastOfFloor;
}
