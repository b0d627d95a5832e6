// How long what is begun now would wait in this process: for turns of its event loop, which take long
// when more is asked than it can do, and for a connection of its pool. What would wait for a second is
// better refused at once: its sender has soon asked twice. [contract 1]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { counter } from './metrics.ts';

const RESOLUTION_MS = 20;

/** One long turn is not a queue: only what lasts for two windows counts. */
const WINDOW_MS = 1000;

/** Turns of the loop that a request takes, three answers of a store and its own beginning. */
const TURNS = 4;

/** Those who wait for something. */
export interface Waits {
  /** @returns what ends the wait */
  begin(): () => void;
  /** How long the first of them has waited; 0 when nobody does. */
  longestMs(): number;
}

export function createWaits(): Waits {
  const since = new Set<{ ms: number }>();
  return {
    begin() {
      const wait = { ms: performance.now() };
      since.add(wait);
      return () => void since.delete(wait);
    },
    longestMs() {
      // A set remembers the order.
      for (const { ms } of since) return performance.now() - ms;
      return 0;
    },
  };
}

export interface Load {
  /** @param needsSql whether it also waits for a connection of the pool */
  waitMs(needsSql: boolean): number;
  stop(): void;
}

/** @param pool who waits for a connection */
export function measureLoad(pool: Waits): Load {
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
    waitMs: (needsSql) => Math.max(loopMs(), needsSql ? pool.longestMs() : 0),
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
}

/** What was refused since it would have waited too long. */
export const refusedBusy = counter(
  'quiz_refused_busy_total',
  'Requests and sockets refused at once, with 503, since the process is busy.',
);
