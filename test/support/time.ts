// The time of the test's process, which the replicas in it share.
import { onTestFinished, vi } from 'vitest';

/**
 * Advances the monotonic clock of this process until the end of the test. Timers keep their real time.
 * @param ms how far, at once
 */
export function advanceTime(ms: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
  onTestFinished(() => clock.mockRestore());
}
