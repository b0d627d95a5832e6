// Detects whether the machine keeps a process waiting for a processor. Events that are late then are no defect.
import { readFileSync } from 'node:fs';

const TICK_MS = 100;
/** The share of a period that a process may wait for a processor. Its own computing does not count. */
const WAITING_MAX = 0.5;

/** @returns how long the main thread has waited for a processor, ms, or null if the system can't say */
function waitedMs(): number | null {
  try {
    const [, waitedNs] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return null;
  }
}

/** @param onStarved is called with the length, ms, of a period that ends now and was mostly spent waiting */
export function watchStarvation(onStarved: (stretchMs: number) => void): NodeJS.Timeout {
  let last = { atMs: performance.now(), waitedMs: waitedMs() };
  return setInterval(() => {
    const now = { atMs: performance.now(), waitedMs: waitedMs() };
    const stretchMs = now.atMs - last.atMs;
    const waiting =
      now.waitedMs === null || last.waitedMs === null ? stretchMs - TICK_MS : now.waitedMs - last.waitedMs;
    last = now;
    if (waiting > WAITING_MAX * stretchMs) onStarved(stretchMs);
  }, TICK_MS);
}
