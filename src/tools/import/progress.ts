// Shows the progress of an import: on a terminal a line that is rewritten, elsewhere a line every 5 s.
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
  const [start, end] = output.isTTY ? ['\r\x1b[2K', ''] : ['', '\n'];
  const show = () => output.write(`${start}${describeProgress(progress, performance.now() - startedAt)}${end}`);
  const timer = setInterval(show, output.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    if (output.isTTY) output.write(start);
  };
}

/** @returns a text such as `120,000 terms read, 48 %, 21,000 a second` */
function describeProgress(progress: ImportProgress, elapsedMs: number): string {
  const { lines, bytesRead, bytesTotal } = progress;
  if (bytesTotal > 0 && bytesRead >= bytesTotal) return `${number(lines)} terms read, now their questions are counted`;
  const share = bytesTotal > 0 ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : '';
  const rate = Math.round((1000 * lines) / Math.max(elapsedMs, 1));
  return `${number(lines)} terms read${share}, ${number(rate)} a second`;
}
