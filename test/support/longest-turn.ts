// Measures how long the event loop is blocked, without the CPU time of other processes and threads.

/**
 * @param act the work to measure; clients in the same thread count too
 * @returns the result of `act`, and the CPU time of the longest turn of the event loop, ms
 */
export async function longestTurn<T>(act: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let isOver = false;
  let longestMs = 0;
  let last = { clockMs: performance.now(), usedMs: usedMs() };
  const sample = () => {
    const now = { clockMs: performance.now(), usedMs: usedMs() };
    // The kernel counts CPU time in ticks of some ms, so that a short turn may be charged a whole tick.
    const turnMs = Math.min(now.clockMs - last.clockMs, now.usedMs - last.usedMs);
    longestMs = Math.max(longestMs, turnMs);
    last = now;
    if (!isOver) setImmediate(sample);
  };
  setImmediate(sample);
  try {
    const result = await act();
    sample();
    return { result, longestMs };
  } finally {
    isOver = true;
  }
}

/**
 * How often work is repeated that blocks the event loop for too long: garbage is collected in some of the
 * tries.
 */
const TRIES_MAX = 20;

/**
 * Repeats the work until it blocks the event loop for less than the limit.
 * @returns the try in which the longest turn was shortest
 */
export async function shortestTry<T>(
  limitMs: number,
  act: () => Promise<T>,
): Promise<{ result: T; longestMs: number }> {
  let best = await longestTurn(act);
  for (let left = TRIES_MAX - 1; left > 0 && best.longestMs >= limitMs; left--) {
    const next = await longestTurn(act);
    if (next.longestMs < best.longestMs) best = next;
  }
  return best;
}

/** @returns the CPU time of this thread, ms */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
