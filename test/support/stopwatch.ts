// How long something took, as a contract means it: the time in which the machine did other work than
// ours does not count.

const TICK_MS = 20;

/**
 * Times `act`. What counts is the time by the clock, less that in which this process, the service in
 * it included, was ready to run and got no processor; a service that keeps its own process busy
 * gains nothing by it.
 * @returns what `act` came to, and the milliseconds that it took
 */
export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startMs = performance.now();
  let stolenMs = 0;
  let lastMs = startMs;
  let lastUsedMs = usedMs();

  function look(): void {
    const [nowMs, nowUsedMs] = [performance.now(), usedMs()];
    stolenMs += Math.max(0, nowMs - lastMs - TICK_MS - (nowUsedMs - lastUsedMs));
    [lastMs, lastUsedMs] = [nowMs, nowUsedMs];
  }

  const ticking = setInterval(look, TICK_MS);
  try {
    const result = await act();
    look();
    return { result, tookMs: performance.now() - startMs - stolenMs };
  } finally {
    clearInterval(ticking);
  }
}

/** The processor time of all threads of this process. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
