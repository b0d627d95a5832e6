// Measures how long a request that begins now would wait in this process. One that would wait for long is refused at
// once, since its client would soon give up and send it again. [contract 1]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from '../observability/logger.ts';

/** How often the delay of the event loop is sampled. */
const RESOLUTION_MS = 20;
/** Of the averages over two such windows the smaller one counts, so that a single long turn is no overload. */
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
    /** @returns how long a request would wait, ms, for the event loop and, where it needs SQL, for a connection */
    waitMs: (needsSql: boolean) => Math.max(loopMs(), needsSql ? pool.longestMs() : 0),
    stop(): void {
      clearInterval(timer);
      delays.disable();
    },
  };
}

const NOTE_EVERY_MS = 500;
/** A shorter pause is not logged; the metrics of the event loop show it. */
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
