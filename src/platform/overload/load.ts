// Measures how long a request that begins now would wait in this process: for turns of the event loop, which are
// slow under overload, and for a connection of the PostgreSQL pool. A request that would wait for long is refused at
// once, since its client would soon give up and send it again. [contract 1]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '../observability/logger.ts';
import { counter } from '../observability/metrics.ts';

/** How often Node.js samples the delay of the event loop, in ms. */
const RESOLUTION_MS = 20;

/**
 * Delays are averaged over windows of this many ms, and the smaller average of the last two windows counts. So a
 * single long turn of the event loop does not count as overload.
 */
const WINDOW_MS = 1000;

/** How many turns of the event loop a typical request needs: its start, and three replies of a store. */
const TURNS = 4;

export type Waits = ReturnType<typeof createWaits>;

export function createWaits() {
  const since = new Set<{ ms: number }>();
  return {
    begin(): () => void {
      const wait = { ms: performance.now() };
      since.add(wait);
      return () => void since.delete(wait);
    },
    /** How long the first caller has waited, ms; 0 when none waits. */
    longestMs(): number {
      // A set keeps the order of insertion, so that the first one has waited longest.
      for (const { ms } of since) return performance.now() - ms;
      return 0;
    },
  };
}

export type Load = ReturnType<typeof measureLoad>;

/** @param pool the callers that wait for a connection */
export function measureLoad(pool: Waits) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let [before, last] = [0, 0];
  const timer = setInterval(() => {
    before = last;
    last = delays.count === 0 ? 0 : Math.max(0, delays.mean / 1e6 - RESOLUTION_MS);
    delays.reset();
  }, WINDOW_MS).unref();
  const loopMs = () => TURNS * Math.min(before, last);
  return {
    /**
     * @param needsSql whether the request also waits for a connection of the pool
     * @returns how long a request would wait, ms
     */
    waitMs: (needsSql: boolean) => Math.max(loopMs(), needsSql ? pool.longestMs() : 0),
    stop(): void {
      clearInterval(timer);
      delays.disable();
    },
  };
}

export const refusedBusy = counter(
  'quiz_refused_busy_total',
  'Requests and sockets refused at once, with 503, since the process is busy.',
);

/** How often the process notes that it runs, in ms. */
const NOTE_EVERY_MS = 500;
/** A shorter pause is not logged; the metrics of the event loop show it, ms. */
const LOG_FROM_MS = 3000;

export function logStalls(logger: Pick<Logger, 'warn'>): () => void {
  let ranAtMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const durationMs = Math.round(nowMs - ranAtMs);
    ranAtMs = nowMs;
    if (durationMs >= LOG_FROM_MS) logger.warn({ durationMs }, 'this process did not run');
  }, NOTE_EVERY_MS).unref();
  return () => clearInterval(timer);
}
