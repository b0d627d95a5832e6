// Prints the progress of the launcher: one line for each step, with its duration.
import { relative } from 'node:path';

const NAME_WIDTH = 12;
const DETAIL_WIDTH = 40;

export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Begins a step. @returns a function that prints the step's line when it is done */
export function beginStep(name: string): (detail: string) => void {
  const startedAt = performance.now();
  return (detail) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    printLine(`  ✓ ${name.padEnd(NAME_WIDTH)} ${detail.padEnd(DETAIL_WIDTH)} ${seconds} s`);
  };
}

export interface StackAddresses {
  /** The address of each replica. */
  apiUrls: string[];
  /** The address of the first replica for other devices in the network, if they can reach it. */
  networkUrl: string | undefined;
  /** The metrics port of the first replica; 0 when metrics are off. */
  metricsPort: number | undefined;
  /** The port of the operator's console, if it is on. */
  consolePort: number | undefined;
  dataDir: string;
}

/** @returns the lines that are printed when the stack is ready */
export function welcome({ apiUrls, networkUrl, metricsPort, consolePort, dataDir }: StackAddresses): string {
  const [first, ...others] = apiUrls;
  const lines = ['', `  Open   ${first}`];
  if (networkUrl) lines.push(`  Phone  ${networkUrl}`);
  if (others.length > 0) lines.push(`  More   ${others.join('  ')}`);
  lines.push(`  Docs   ${first}/docs`);
  const path = relative(process.cwd(), dataDir);
  const data = path.startsWith('..') || !path ? dataDir : path;
  if (metricsPort) lines.push(`  Meters http://localhost:${metricsPort}/metrics`);
  if (consolePort) lines.push(`  Watch  http://localhost:${consolePort}/console/`);
  lines.push(`  Data   ${data}`, '  Stop   Ctrl-C', '');
  return lines.join('\n');
}

// The service continues when the reader of the output is gone, as with `| head`.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
