// Nothing is stuck: whatever should have happened happens within a few seconds in a row in which
// nothing was harmed. An outage, or the machine's own standing still, is no such second.
import type { Span, Violation } from '../../src/prove/history.ts';

export interface Wait extends Span {
  lobbyId: string;
}

/** @param limitMs how long anything may take while all is well */
export function checkWaits(
  waits: readonly Wait[],
  harms: readonly Span[],
  limitMs: number,
): Violation[] {
  const inOrder = harms.toSorted((a, b) => a.fromMs - b.fromMs);
  return waits.flatMap((wait) => {
    const stretchMs = longestStretchMs(wait, inOrder);
    if (stretchMs <= limitMs) return [];
    const text = `${wait.what} took ${wait.toMs - wait.fromMs} ms, ${stretchMs} of them undisturbed`;
    return [{ kind: 'stuck', lobbyId: wait.lobbyId, text }];
  });
}

/** @param harms in the order of their beginnings */
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
