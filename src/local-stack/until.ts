// Waits for what other processes do in their own time.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** @returns whether the condition came true in time */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = POLL_MS,
): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) return false;
    await sleep(intervalMs);
  }
  return true;
}
