// The output of a run: one line while it goes on, and a line with details at its end.
import type { Violation } from '../../src/tools/prove/history.ts';
import type { Progress } from './run.ts';
import type { Circumstances } from './schedule.ts';
import { type Totals, totalOf } from './totals.ts';

const SHOWN_MAX = 25;
const QUIET_EVERY_MS = 15_000;

export function startView(seed: number, durationMs: number) {
  const startedMs = Date.now();
  let shownMs = startedMs;
  const { stderr } = process;
  return {
    show(progress: Progress): void {
      const line = lineOf(progress, seed, Date.now() - startedMs, durationMs);
      if (stderr.isTTY) stderr.write(`\r\x1b[2K${line.slice(0, stderr.columns - 1)}`);
      else if (Date.now() - shownMs >= QUIET_EVERY_MS) {
        shownMs = Date.now();
        stderr.write(`${line}\n`);
      }
    },
    stop(): void {
      if (stderr.isTTY) stderr.write('\r\x1b[2K');
    },
  };
}

function lineOf(progress: Progress, seed: number, elapsedMs: number, durationMs: number): string {
  const { topology, games, rounds, events, reconnections, violations } = progress;
  return [
    `seed ${seed} (${topology})`,
    `${clock(elapsedMs)} of ${clock(durationMs)}`,
    `${totalOf(progress)} faults`,
    `${games} games`,
    `${rounds} rounds`,
    `${events} events`,
    `${reconnections} reconnects`,
    `${violations.length} violations`,
    kindsOf(progress),
  ].join(' · ');
}

/** @param title names the run, or the number of runs */
export function formatLine(title: string, totals: Totals): string {
  const { lobbies, games, rounds, events, attempts, reconnections, violations, starvedMs } = totals;
  return `${title}: ${totalOf(totals)} faults, ${lobbies} lobbies, ${games} games, ${rounds} rounds, ${events} events, ${attempts} attempts of homework, ${reconnections} reconnects, ${violations.length} violations; processes waited for the machine for ${(starvedMs / 1000).toFixed(1)} s`;
}

export function formatDetails(
  totals: Totals,
  { hasRelease, hasDisk }: Pick<Circumstances, 'hasRelease' | 'hasDisk'>,
): string {
  const { violations, cost } = totals;
  const groups = Map.groupBy(violations, ({ kind, text }) => `${kind}: ${withoutNames(text)}`);
  const shown = [...groups.values()].slice(0, SHOWN_MAX).map((alike) => {
    const [{ kind, lobbyId, event, text }] = alike as [Violation];
    const place = `${lobbyId ? `, lobby ${lobbyId}` : ''}${event ? `, ${event}` : ''}`;
    return `- ${alike.length} × ${kind}${place}: ${text}`;
  });
  return [
    `faults: ${kindsOf(totals)}`,
    ...(hasRelease ? [] : ['no rolling updates: no other release was named (--from)']),
    ...(hasDisk ? [] : ['no full disk: mounting one takes root, or sudo without a password']),
    ...(cost.answers + cost.games > 0
      ? [`lost with Redis' last writes, as may be: ${cost.answers} answers, ${cost.games} games`]
      : []),
    ...shown,
    ...(groups.size > shown.length ? [`… and ${groups.size - shown.length} kinds more`] : []),
  ].join('\n');
}

/** Two violations with the same key are reports of one defect: ids and numbers do not count. */
const withoutNames = (text: string) =>
  text.replace(/[0-9a-f]{8}-[0-9a-f-]+|req-\S+|\/[0-9A-Z]{6}\b|[0-9a-f]{12}|\d+/g, '…').slice(0, 300);

const kindsOf = ({ faults }: Totals) =>
  [...faults]
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');

const clock = (ms: number) => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
