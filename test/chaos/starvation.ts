// Whether this machine keeps a process waiting for a processor: what comes late then is nobody's defect.
import { readFileSync } from 'node:fs';

const TICK_MS = 100;
/** Of each stretch a process may wait so much; what it computes itself doesn't count. */
const WAITING_MAX = 0.5;

/** @returns how long the main thread has waited for a processor, ms; null where the system doesn't tell */
function waitedMs(): number | null {
  try {
    const [, waitedNs] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return null;
  }
}

/** @param onStarved told how long a stretch was that ends now, and was mostly spent waiting, ms */
export function watchStarvation(onStarved: (stretchMs: number) => void): NodeJS.Timeout {
  let last = { atMs: performance.now(), waitedMs: waitedMs() };
  return setInterval(() => {
    const now = { atMs: performance.now(), waitedMs: waitedMs() };
    const stretchMs = now.atMs - last.atMs;
    const waiting =
      now.waitedMs === null || last.waitedMs === null
        ? stretchMs - TICK_MS
        : now.waitedMs - last.waitedMs;
    last = now;
    if (waiting > WAITING_MAX * stretchMs) onStarved(stretchMs);
  }, TICK_MS);
}
