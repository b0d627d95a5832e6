// Nothing is stuck: every expected event comes within a few undisturbed seconds. Seconds in which a fault was
// active, or the machine kept processes waiting, do not count.
import type { Span, Violation } from '../../src/tools/prove/history.ts';

export interface Wait extends Span {
  lobbyId: string;
}

/** @param limitMs the longest wait in undisturbed time, ms */
export function checkWaits(waits: readonly Wait[], harms: readonly Span[], limitMs: number): Violation[] {
  const inOrder = harms.toSorted((a, b) => a.fromMs - b.fromMs);
  return waits.flatMap((wait) => {
    const stretchMs = longestStretchMs(wait, inOrder);
    if (stretchMs <= limitMs) return [];
    const text = `${wait.what} took ${wait.toMs - wait.fromMs} ms, ${stretchMs} of them undisturbed`;
    return [{ kind: 'stuck', lobbyId: wait.lobbyId, text }];
  });
}

/** @param harms the disturbed periods, by their beginnings */
function longestStretchMs({ fromMs, toMs }: Wait, harms: readonly Span[]): number {
  let longestMs = 0;
  let sinceMs = fromMs;
  for (const harm of harms) {
    if (harm.toMs <= sinceMs) continue;
    if (harm.fromMs >= toMs) break;
    longestMs = Math.max(longestMs, harm.fromMs - sinceMs);
    sinceMs = harm.toMs;
  }
  return Math.max(longestMs, toMs - sinceMs);
}
