// The totals of a run, or of several runs together.
import type { Violation } from '../../src/tools/prove/history.ts';
import type { FaultKind } from './schedule.ts';

export type Totals = ReturnType<typeof createTotals>;

export function createTotals() {
  return {
    faults: new Map<FaultKind, number>(),
    lobbies: 0,
    games: 0,
    rounds: 0,
    events: 0,
    /** Finished attempts of assignments. */
    attempts: 0,
    reconnections: 0,
    violations: [] as Violation[],
    /** The losses that failovers explain and the runbook allows. */
    cost: { answers: 0, games: 0 },
    /** How long the machine has kept some process waiting for a processor, ms. */
    starvedMs: 0,
  };
}

/** Adds the totals of one more run. */
export function addUp(totals: Totals, run: Totals): void {
  for (const [kind, count] of run.faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count);
  for (const key of ['lobbies', 'games', 'rounds', 'events', 'attempts', 'reconnections', 'starvedMs'] as const)
    totals[key] += run[key];
  for (const key of ['answers', 'games'] as const) totals.cost[key] += run.cost[key];
  totals.violations.push(...run.violations);
}

/** @returns the number of faults */
export const totalOf = ({ faults }: Totals) => [...faults.values()].reduce((sum, count) => sum + count, 0);
