// Shows the progress of an import: on a terminal a bar with the rate and the remaining time, elsewhere a line
// every 5 s.
import { Presets, SingleBar } from 'cli-progress';
import { number } from './report.ts';

const TERMINAL_INTERVAL_MS = 200;
const LOG_INTERVAL_MS = 5000;

/** The progress of an import. */
export interface ImportProgress {
  lines: number;
  bytesRead: number;
  /** 0 where the size is unknown. */
  bytesTotal: number;
}

/** The stream that shows the progress. */
type ProgressOutput = NodeJS.WritableStream & { isTTY?: boolean };

/**
 * Shows `progress` at an interval; the caller updates its fields.
 * @returns a function that ends it
 */
export function showProgress(progress: ImportProgress, output: ProgressOutput): () => void {
  const startedAt = performance.now();
  const describe = () => describeProgress(progress, performance.now() - startedAt);
  return output.isTTY ? showBar(progress, output, describe) : showLines(output, describe);
}

function showBar(progress: ImportProgress, output: NodeJS.WritableStream, describe: () => string) {
  const bar = new SingleBar(
    {
      stream: output,
      format: '{bar} {text}, {eta_formatted} to go',
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 100,
      noTTYOutput: true,
    },
    Presets.shades_classic,
  );
  // The size is unknown until the file is opened.
  bar.start(1, 0, { text: describe() });
  const timer = setInterval(() => {
    bar.setTotal(Math.max(progress.bytesTotal, 1));
    bar.update(progress.bytesRead, { text: describe() });
  }, TERMINAL_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    bar.stop();
  };
}

function showLines(output: NodeJS.WritableStream, describe: () => string) {
  const timer = setInterval(() => output.write(`${describe()}\n`), LOG_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** @returns a text such as `120,000 terms read, 48 %, 21,000 a second` */
function describeProgress(progress: ImportProgress, elapsedMs: number): string {
  const { lines, bytesRead, bytesTotal } = progress;
  if (bytesTotal > 0 && bytesRead >= bytesTotal) return `${number(lines)} terms read, now their questions are counted`;
  const share = bytesTotal > 0 ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : '';
  const rate = Math.round((1000 * lines) / Math.max(elapsedMs, 1));
  return `${number(lines)} terms read${share}, ${number(rate)} a second`;
}
