// The output of a run: a line while it goes on, a summary at its end, and the summary as JSON for programs.
import type { Violation } from './history.ts';
import type { RoomReport } from './play-room.ts';
import type { RunProgress } from './prove.ts';
import { quantile } from './verdict.ts';

/** Kinds of violations that the summary shows; it only counts the others. */
const SHOWN_MAX = 25;

/** @returns the line that shows the progress while a run goes on */
export function describeRun(progress: RunProgress, elapsedMs: number, durationMs: number): string {
  return [`${clock(elapsedMs)} of ${clock(durationMs)}`, ...countsOf(progress)].join(' · ');
}

function countsOf(progress: RunProgress): string[] {
  const { games, rounds, quizzes, attempts, reconnects, violations, meanwhile } = progress;
  const { p50, p99 } = latenessOf(progress);
  return [
    `${games} games`,
    `${rounds} rounds`,
    `${quizzes} quizzes`,
    `${attempts} attempts of homework`,
    `${reconnects} reconnects`,
    `late p50 ${p50 ?? '–'} ms, p99 ${p99 ?? '–'} ms`,
    ...(meanwhile.runs > 0 ? [`command ran ${meanwhile.runs} times`] : []),
    `${violations.length} violations`,
  ];
}

function latenessOf({ latenessMs }: RunProgress) {
  const sorted = latenessMs.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? null };
}

/** @param files the histories of the lobbies that have violations */
export function formatSummary(progress: RunProgress, files: readonly string[]): string {
  const { lobbies, violations, meanwhile, rooms } = progress;
  const groups = [...Map.groupBy(violations, groupKey).values()];
  const shown = groups.slice(0, SHOWN_MAX).map((alike) => {
    const [first] = alike as [Violation];
    return `- ${alike.length} × ${first.kind}${placeOf(first, alike.length)}: ${first.text}`;
  });
  return [
    `${lobbies} lobbies · ${countsOf(progress).join(' · ')}`,
    ...rooms.map(describeRoom),
    ...meanwhile.failures.slice(-1).map((failure) => `the command failed; the last failure: ${failure}`),
    ...shown,
    ...(groups.length > shown.length ? [`… and ${groups.length - shown.length} kinds more`] : []),
    ...files.map((file) => `History: ${file}`),
    verdictOf(progress),
  ].join('\n');
}

/** @returns the lobby and the event of the first one of several violations */
function placeOf({ code, event }: Violation, count: number): string {
  const places = [...(code ? [`lobby ${code}`] : []), ...(event ? [event] : [])];
  return places.length > 0 ? ` (${count > 1 ? 'first in ' : ''}${places.join(', ')})` : '';
}

function describeRoom({ players, entryMs, resultMs, bytesPerRound, backMs }: RoomReport): string {
  const of = (values: readonly number[], share: number) =>
    Math.round(
      quantile(
        values.toSorted((a, b) => a - b),
        share,
      ) ?? 0,
    );
  return [
    `room of ${players}: all in after ${(entryMs / 1000).toFixed(1)} s`,
    `results p50 ${of(resultMs, 0.5)} ms, p99 ${of(resultMs, 0.99)} ms after the last answer`,
    `at most ${of(bytesPerRound, 1)} bytes a player and round`,
    ...(backMs.length > 0 ? [`all back within ${(of(backMs, 1) / 1000).toFixed(1)} s`] : []),
  ].join(' · ');
}

function verdictOf({ violations, games }: RunProgress): string {
  if (violations.length > 0) return 'NOT PROVED';
  return games > 0 ? 'PROVED: nothing was lost, late or wrong.' : 'No game was played.';
}

/** Two violations with the same key are reports of one defect: ids and numbers do not count. */
const groupKey = ({ kind, text }: Violation) =>
  `${kind}: ${text.replace(/[0-9a-f]{8}-[0-9a-f-]+|req-\S+|lobby [0-9A-Z]{6}|\d+/g, '…').slice(0, 300)}`;

export function formatJson(progress: RunProgress, files: readonly string[]): string {
  return JSON.stringify({ ...progress, latenessMs: latenessOf(progress), histories: files });
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
