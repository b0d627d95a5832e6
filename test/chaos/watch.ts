// Keeps book of the stretches in which nothing can be expected to go on: a store that is harmed, no
// replica or no worker at work, or the machine itself standing still.
import type { Span } from '../../src/prove/history.ts';
import type { PlannedFault } from './schedule.ts';
import type { Stage } from './stage.ts';
import { watchStarvation } from './starvation.ts';

const TICK_MS = 50;
/** From the last write that its replica has got to the moment when that one takes its place, at most. */
const FAILOVER_MS = 20_000;

export interface Watch {
  readonly harms: Span[];
  /** For how long the machine has kept any process waiting, in all. */
  starvedMs(): number;
  /** A process of the service was mostly kept waiting for so long until now. */
  noteStarved(stretchMs: number): void;
  /** Redis has failed over: what it had taken a while ago may be lost. */
  noteFailover(): void;
  /** Notes a fault while it lasts. */
  during<T>(fault: PlannedFault, act: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function startWatch(stage: () => Stage | undefined): Watch {
  const harms: Span[] = [];
  /** What grows while it goes on. */
  const current = new Map<string, Span>();
  let lastMs = Date.now();

  function note(what: string, fromMs: number, toMs: number): void {
    const span = current.get(what);
    if (span && span.toMs >= fromMs - TICK_MS) {
      span.fromMs = Math.min(span.fromMs, fromMs);
      span.toMs = Math.max(span.toMs, toMs);
      return;
    }
    const begun = { what, fromMs, toMs };
    current.set(what, begun);
    harms.push(begun);
  }
  const noteStarved = (stretchMs: number) => {
    const nowMs = Date.now();
    note('machine', nowMs - stretchMs, nowMs);
  };

  const starvation = watchStarvation(noteStarved);
  const timer = setInterval(() => {
    const nowMs = Date.now();
    const sinceMs = lastMs;
    lastMs = nowMs;
    const { replicas = [], workers = [] } = stage() ?? {};
    if (!replicas.some(({ isUp }) => isUp)) note('no replica', sinceMs, nowMs);
    if (!workers.some(({ isUp }) => isUp)) note('no worker', sinceMs, nowMs);
  }, TICK_MS);

  return {
    harms,
    starvedMs: () =>
      harms
        .filter(({ what }) => what === 'machine')
        .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    noteStarved,
    noteFailover() {
      const nowMs = Date.now();
      note('failover', nowMs - FAILOVER_MS, nowMs);
    },
    async during({ kind, place }, act) {
      const isOfStore = place === 'redis' || place === 'postgres';
      const harm: Span = { what: kind, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
      // Where a process dies others are there; one that is frozen keeps its clients.
      if (isOfStore || kind === 'freeze') harms.push(harm);
      try {
        return await act();
      } finally {
        harm.toMs = Date.now();
      }
    },
    stop() {
      clearInterval(timer);
      clearInterval(starvation);
    },
  };
}
