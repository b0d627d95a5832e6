// What a person sees of a run: a line with a bar while it goes on, a summary at its end; and the same
// for machines.
import type { Violation } from './history.ts';
import { quantile } from './lateness.ts';
import type { Progress } from './prove.ts';

const BAR = 20;
const SHOWN_MAX = 25;
const SHOW_EVERY_MS = { terminal: 200, log: 15_000 } as const;

/** Where it is shown: the process's stderr, say. */
export interface ViewOutput {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** @returns ends it */
export function startView(durationMs: number, progress: Progress, output: ViewOutput): () => void {
  const startedMs = Date.now();
  const show = () => {
    const line = lineOf(progress, Date.now() - startedMs, durationMs);
    const width = (output.columns ?? 80) - 1;
    output.write(output.isTTY ? `\r\x1b[2K${line.slice(0, width)}` : `${line}\n`);
  };
  const timer = setInterval(show, SHOW_EVERY_MS[output.isTTY ? 'terminal' : 'log']);
  return () => {
    clearInterval(timer);
    // The summary takes the line's place.
    if (output.isTTY) output.write('\r\x1b[2K');
  };
}

function lineOf(progress: Progress, elapsedMs: number, durationMs: number): string {
  const done = Math.round(BAR * Math.min(1, elapsedMs / durationMs));
  return [
    `${'█'.repeat(done)}${'░'.repeat(BAR - done)} ${clock(elapsedMs)}`,
    ...countsOf(progress),
  ].join(' · ');
}

function countsOf(progress: Progress): string[] {
  const { games, rounds, quizzes, reconnects, violations, meanwhile } = progress;
  const { p50, p99 } = latenessOf(progress);
  return [
    `${games} games`,
    `${rounds} rounds`,
    `${quizzes} quizzes`,
    `${reconnects} reconnects`,
    `late p50 ${p50 ?? '–'} ms, p99 ${p99 ?? '–'} ms`,
    ...(meanwhile.runs > 0 ? [`command ran ${meanwhile.runs} times`] : []),
    `${violations.length} violations`,
  ];
}

function latenessOf({ latenessMs }: Progress) {
  const sorted = latenessMs.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? null };
}

/** @param files where the histories of lobbies lie of which something is wrong */
export function formatSummary(progress: Progress, files: readonly string[]): string {
  const { lobbies, covered, violations, meanwhile } = progress;
  const groups = [...Map.groupBy(violations, likeness).values()];
  const shown = groups.slice(0, SHOWN_MAX).map((alike) => {
    const [{ kind, text }] = alike as [Violation];
    return `- ${alike.length} × ${kind}: ${text}`;
  });
  return [
    `${lobbies} lobbies · ${countsOf(progress).join(' · ')}`,
    `of these lobbies ${Object.entries(covered)
      .map(([what, lobbies]) => `${lobbies} ${what}`)
      .join(', ')}`,
    ...meanwhile.failures.slice(-1).map((failure) => `the command failed, at last with ${failure}`),
    ...shown,
    ...(groups.length > shown.length ? [`… and ${groups.length - shown.length} kinds more`] : []),
    ...files.map((file) => `The history: ${file}`),
    verdictOf(progress),
  ].join('\n');
}

function verdictOf({ violations, games }: Progress): string {
  if (violations.length > 0) return 'NOT PROVED';
  return games > 0 ? 'PROVED: nothing was lost, late or wrong.' : 'No game was played.';
}

/** What makes two reports of one defect differ. */
const likeness = ({ kind, text }: Violation) =>
  `${kind}: ${text.replace(/[0-9a-f]{8}-[0-9a-f-]+|req-\S+|\d+/g, '…').slice(0, 300)}`;

/** @returns one JSON object */
export function formatJson(progress: Progress, files: readonly string[]): string {
  const { histories: _, ...told } = progress;
  const { runs, failures } = progress.meanwhile;
  return JSON.stringify({
    ...told,
    latenessMs: latenessOf(progress),
    meanwhile: { runs, failures },
    histories: files,
  });
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
