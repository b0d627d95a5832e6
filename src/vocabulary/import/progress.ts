// Shows how far an import has come: on a terminal one line that is written over, elsewhere a line
// every few seconds.

const TERMINAL_INTERVAL_MS = 200;
const LOG_INTERVAL_MS = 5000;

/** How far an import has come. */
export interface ImportProgress {
  lines: number;
  bytesRead: number;
  /** 0 when it isn't known. */
  bytesTotal: number;
}

/** Where it is shown: the process's stderr, say. */
export interface ProgressOutput {
  isTTY?: boolean;
  write(text: string): boolean;
}

/**
 * Shows `progress`, which somebody else keeps up to date.
 * @returns a function that ends it
 */
export function showProgress(progress: ImportProgress, output: ProgressOutput): () => void {
  const show = () => {
    const text = describeProgress(progress);
    output.write(output.isTTY ? `\r${text}\u001B[K` : `${text}\n`);
  };
  const timer = setInterval(show, output.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    // The summary takes the line's place.
    if (output.isTTY) output.write('\r\u001B[K');
  };
}

/** @returns such as `120,000 terms read, 48 %` */
export function describeProgress({ lines, bytesRead, bytesTotal }: ImportProgress): string {
  const share = bytesTotal > 0 ? `, ${Math.floor((100 * bytesRead) / bytesTotal)} %` : '';
  return `${lines.toLocaleString('en')} terms read${share}`;
}
