// Keeps book of the stretches in which nothing can be expected to go on: a store that is harmed, no
// replica or no worker at work, or the machine itself standing still.
import type { Span } from './history.ts';
import type { PlannedFault } from './schedule.ts';
import type { Stage } from './stage.ts';

const TICK_MS = 50;
const STALL_MS = 200;

export interface Watch {
  readonly harms: Span[];
  /** How long the machine has kept anything of the run waiting, in all. */
  stalledMs(): number;
  /** A process of the service was kept waiting until now. */
  noteStall(stallMs: number): void;
  /** Notes a fault while it lasts. */
  during<T>(fault: PlannedFault, act: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function startWatch(stage: () => Stage | undefined): Watch {
  const harms: Span[] = [];
  /** Frozen or not, a process that is being stopped and started anew is late with its ticks. */
  let disturbedUntilMs = 0;
  let faultsOnProcesses = 0;
  let stalledMs = 0;
  let lastMs = Date.now();

  function note(what: string, fromMs: number, toMs: number): void {
    const last = harms.at(-1);
    if (last?.what === what && last.toMs >= fromMs - TICK_MS) last.toMs = toMs;
    else harms.push({ what, fromMs, toMs });
  }

  const timer = setInterval(() => {
    const nowMs = Date.now();
    const sinceMs = lastMs;
    lastMs = nowMs;
    const lateMs = nowMs - sinceMs - TICK_MS;
    if (lateMs > STALL_MS) {
      stalledMs += lateMs;
      note('machine', sinceMs, nowMs);
    }
    const { replicas = [], workers = [] } = stage() ?? {};
    if (!replicas.some(({ isUp }) => isUp)) note('no replica', sinceMs, nowMs);
    if (!workers.some(({ isUp }) => isUp)) note('no worker', sinceMs, nowMs);
  }, TICK_MS);

  return {
    harms,
    stalledMs: () => stalledMs,
    noteStall(stallMs) {
      const nowMs = Date.now();
      if (faultsOnProcesses > 0 || nowMs - stallMs < disturbedUntilMs) return;
      stalledMs += stallMs;
      harms.push({ what: 'machine', fromMs: nowMs - stallMs, toMs: nowMs });
    },
    async during({ kind, place }, act) {
      const isOfStore = place === 'redis' || place === 'postgres';
      const harm: Span = { what: kind, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
      // Where a process dies others are there; one that is frozen keeps its clients.
      if (isOfStore || kind === 'freeze') harms.push(harm);
      if (!isOfStore) faultsOnProcesses++;
      try {
        return await act();
      } finally {
        harm.toMs = Date.now();
        if (!isOfStore) faultsOnProcesses--;
        if (!isOfStore) disturbedUntilMs = harm.toMs + 1000;
      }
    },
    stop: () => clearInterval(timer),
  };
}
