// The totals of a run, or of several runs together.
import type { LobbyVerdict } from '../../src/tools/prove/checker/checker.ts';
import type { Violation } from '../../src/tools/prove/history.ts';
import type { FaultKind } from './schedule.ts';

export interface Totals {
  faults: Map<FaultKind, number>;
  lobbies: number;
  games: number;
  rounds: number;
  events: number;
  /** Finished attempts of assignments. */
  attempts: number;
  reconnections: number;
  violations: Violation[];
  /** The losses that failovers explain and the runbook allows. */
  cost: LobbyVerdict['cost'] & { games: number };
  /** How long the machine has kept some process waiting for a processor, ms. */
  starvedMs: number;
}

export function createTotals(): Totals {
  return {
    faults: new Map(),
    lobbies: 0,
    games: 0,
    rounds: 0,
    events: 0,
    attempts: 0,
    reconnections: 0,
    violations: [],
    cost: { rewinds: 0, answers: 0, games: 0 },
    starvedMs: 0,
  };
}

/** Adds the totals of one more run. */
export function addUp(totals: Totals, run: Totals): void {
  for (const [kind, count] of run.faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count);
  for (const key of ['lobbies', 'games', 'rounds', 'events', 'attempts', 'reconnections', 'starvedMs'] as const)
    totals[key] += run[key];
  for (const key of ['rewinds', 'answers', 'games'] as const) totals.cost[key] += run.cost[key];
  totals.violations.push(...run.violations);
}

/** @returns the number of faults */
export const totalOf = ({ faults }: Totals) => [...faults.values()].reduce((sum, count) => sum + count, 0);
