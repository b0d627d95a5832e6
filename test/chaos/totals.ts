// The totals of a run, or of several runs together, and what the command says of them.
import { emptyProgress } from '../../src/tools/prove/prove.ts';
import { describeRun, formatSummary } from '../../src/tools/prove/view.ts';
import type { Circumstances, FaultKind } from './schedule.ts';

export type Totals = ReturnType<typeof createTotals>;

export function createTotals() {
  return {
    ...emptyProgress(),
    faults: new Map<FaultKind, number>(),
    events: 0,
    /** The losses that failovers explain and the runbook allows. */
    cost: { answers: 0, games: 0 },
    /** How long the machine has kept some process waiting for a processor, ms. */
    starvedMs: 0,
  };
}

/** Adds the totals of one more run. */
export function addUp(totals: Totals, run: Totals): void {
  for (const [kind, count] of run.faults) totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + count);
  for (const key of ['lobbies', 'games', 'rounds', 'events', 'attempts', 'reconnects', 'starvedMs'] as const)
    totals[key] += run[key];
  for (const key of ['answers', 'games'] as const) totals.cost[key] += run.cost[key];
  totals.latenessMs = totals.latenessMs.concat(run.latenessMs);
  totals.violations.push(...run.violations);
}

/** @returns the number of faults */
export const totalOf = ({ faults }: Totals) => [...faults.values()].reduce((sum, count) => sum + count, 0);

/** @param title names the run, or the number of runs @returns the line that shows its progress, and its outcome */
export const describeTotals = (title: string, totals: Totals, elapsedMs: number, durationMs: number) =>
  `${title} · ${totalOf(totals)} faults · ${totals.events} events · ${describeRun(totals, elapsedMs, durationMs)}`;

/** @param files the histories of the lobbies that have violations */
export function formatDetails(
  totals: Totals,
  { hasRelease, hasDisk }: Pick<Circumstances, 'hasRelease' | 'hasDisk'>,
  files: string[],
): string {
  const { cost, starvedMs, faults } = totals;
  const kinds = [...faults].toSorted(([, one], [, other]) => other - one);
  return [
    `faults: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    `processes waited for the machine for ${(starvedMs / 1000).toFixed(1)} s`,
    ...(hasRelease ? [] : ['no rolling updates: no other release was named (--from)']),
    ...(hasDisk ? [] : ['no full disk: mounting one takes root, or sudo without a password']),
    ...(cost.answers + cost.games > 0
      ? [`lost with Redis' last writes, as may be: ${cost.answers} answers, ${cost.games} games`]
      : []),
    formatSummary(totals, files),
  ].join('\n');
}
