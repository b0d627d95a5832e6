// Waits for a condition that other processes fulfil, by polling it.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** @returns whether the condition became true within `timeoutMs` */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = POLL_MS,
): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) return false;
    await sleep(intervalMs);
  }
  return true;
}
