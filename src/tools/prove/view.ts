// The output of a run: a line while it goes on, a summary at its end, and the summary as JSON for programs.
import type { Violation } from './history.ts';
import { quantilesOf, type RoomReport } from './measure-room.ts';
import type { RunProgress } from './prove.ts';

/** Kinds of violations that the summary shows; it only counts the others. */
const SHOWN_MAX = 25;

/** @returns the line that shows the progress while a run goes on */
export function describeRun(progress: RunProgress, elapsedMs: number, durationMs: number): string {
  const [elapsed, duration] = [elapsedMs, durationMs].map((ms) => Math.round(ms / 1000));
  return [`${elapsed} of ${duration} s`, ...countsOf(progress)].join(' · ');
}

function countsOf(progress: RunProgress): string[] {
  const { games, rounds, quizzes, attempts, reconnects, violations, meanwhile } = progress;
  const { p50, p99 } = quantilesOf(progress.latenessMs);
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

/** @param files the histories of the lobbies that have violations */
export function formatSummary(progress: RunProgress, files: readonly string[]): string {
  const { lobbies, violations, meanwhile, rooms, games } = progress;
  const groups = [...Map.groupBy(violations, groupKey).values()];
  const verdict = games > 0 ? 'PROVED: nothing was lost, late or wrong.' : 'No game was played.';
  return [
    `${lobbies} lobbies · ${countsOf(progress).join(' · ')}`,
    ...rooms.map(describeRoom),
    ...(meanwhile.failure === null ? [] : [`the command failed; the last failure: ${meanwhile.failure}`]),
    ...groups.slice(0, SHOWN_MAX).map(describeGroup),
    ...(groups.length > SHOWN_MAX ? [`… and ${groups.length - SHOWN_MAX} kinds more`] : []),
    ...files.map((file) => `History: ${file}`),
    violations.length > 0 ? 'NOT PROVED' : verdict,
  ].join('\n');
}

/** Two violations with the same key are reports of one defect: ids and numbers do not count. */
const groupKey = ({ kind, text }: Violation) =>
  `${kind}: ${text.replace(/[0-9a-f]{8}-[0-9a-f-]+|req-\S+|lobby [0-9A-Z]{6}|\d+/g, '…').slice(0, 300)}`;

/** @returns how many violations are alike, and the lobby, the event and the text of the first one */
function describeGroup(alike: readonly Violation[]): string {
  const [{ kind, text, code, event }] = alike as [Violation];
  const places = [...(code ? [`lobby ${code}`] : []), ...(event ? [event] : [])].join(', ');
  const first = alike.length > 1 ? 'first in ' : '';
  return `- ${alike.length} × ${kind}${places && ` (${first}${places})`}: ${text}`;
}

function describeRoom({ players, entryMs, resultMs, bytesPerRound, awayMs }: RoomReport): string {
  return [
    entryMs === null ? `room of ${players}` : `room of ${players}: all in after ${(entryMs / 1000).toFixed(1)} s`,
    `results p50 ${resultMs.p50 ?? '–'} ms, p99 ${resultMs.p99 ?? '–'} ms after the last answer`,
    `at most ${bytesPerRound} bytes a player and round`,
    ...(awayMs > 0 ? [`all back within ${(awayMs / 1000).toFixed(1)} s`] : []),
  ].join(' · ');
}

export function formatJson(progress: RunProgress, files: readonly string[]): string {
  return JSON.stringify({ ...progress, latenessMs: quantilesOf(progress.latenessMs), histories: files });
}
