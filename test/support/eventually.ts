// Waits for effects of other processes and of asynchronous work.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `fn` until it neither throws nor rejects.
 * @param timeoutMs the time until the last call; 30 s by default, since the machine may be busy
 * @param intervalMs the pause between two calls; 25 ms by default
 * @returns the result of `fn`
 * @throws the last error of `fn` after the timeout
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
