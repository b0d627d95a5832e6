// Waits for what other processes do in their own time.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `fn` until it neither throws nor rejects.
 * @param timeoutMs how long to go on; default 30 s, for a machine that has other work
 * @param intervalMs the pause between two calls; default 25 ms
 * @returns what `fn` returned
 * @throws what `fn` threw last, when the time is over
 */
export async function eventually<T>(
  fn: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 25 }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await fn();
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
      await sleep(intervalMs);
    }
  }
}
