// Records the periods in which the service can't make progress: a store has a fault, no replica or no worker
// is at work, or the machine keeps processes waiting.
import type { Span } from '../../src/tools/prove/history.ts';
import type { PlannedFault } from './schedule.ts';
import type { Stage } from './stage.ts';
import { watchStarvation } from './starvation.ts';

const TICK_MS = 50;
/** The longest time between the last write that a replica received and its promotion, ms. */
const FAILOVER_MS = 20_000;

export function startWatch(stage: () => Stage | undefined) {
  const harms: Span[] = [];
  /** The current period, which grows until it ends. */
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
    if (!replicas.some(({ isUp }) => isUp())) note('no replica', sinceMs, nowMs);
    if (!workers.some(({ isUp }) => isUp())) note('no worker', sinceMs, nowMs);
  }, TICK_MS);

  return {
    harms,
    /** How long the machine has kept any process waiting, in all, ms. */
    starvedMs: () =>
      harms.filter(({ what }) => what === 'machine').reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    /** Notes that a process has mostly waited for a processor for this long until now. */
    noteStarved,
    /** Notes a failover: writes from shortly before may be lost. */
    noteFailover() {
      const nowMs = Date.now();
      note('failover', nowMs - FAILOVER_MS, nowMs);
    },
    /** Notes a fault while it lasts. */
    async during<T>({ kind, place }: PlannedFault, act: () => Promise<T>): Promise<T> {
      const isOfStore = place === 'redis' || place === 'postgres';
      const harm: Span = { what: kind, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
      // Other processes take over from one that dies, but a frozen one keeps its clients.
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
