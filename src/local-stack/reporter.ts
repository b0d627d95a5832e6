// What the launcher says while it works: one line a step, with its time.
import { relative } from 'node:path';

const NAME_WIDTH = 12;
const DETAIL_WIDTH = 40;

export interface Reporter {
  line(text: string): void;
  /** Starts the clock of a step. @returns to be called when the step is done. */
  step(name: string): (detail: string) => void;
}

/** @returns a reporter that writes to this process's output. */
export function createReporter(): Reporter {
  const line = (text: string) => void process.stdout.write(`${text}\n`);
  return {
    line,
    step(name) {
      const startedAt = performance.now();
      return (detail) => {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        line(`  ✓ ${name.padEnd(NAME_WIDTH)} ${detail.padEnd(DETAIL_WIDTH)} ${seconds} s`);
      };
    },
  };
}

/** What runs now. */
export interface Running {
  /** One a replica. */
  apiUrls: string[];
  /** The first replica's for other devices in the network, if they can reach it. */
  networkUrl: string | undefined;
  /** Of the first replica; 0 when metrics are off. */
  metricsPort: number | undefined;
  dataDir: string;
}

/** @returns what to do next, now that everything answers */
export function welcome({ apiUrls, networkUrl, metricsPort, dataDir }: Running): string {
  const [first, ...others] = apiUrls;
  const lines = ['', `  Open   ${first}`];
  if (networkUrl) lines.push(`  Phone  ${networkUrl}`);
  if (others.length > 0) lines.push(`  More   ${others.join('  ')}`);
  lines.push(`  Docs   ${first}/docs`);
  const path = relative(process.cwd(), dataDir);
  const data = path.startsWith('..') || !path ? dataDir : path;
  if (metricsPort) lines.push(`  Meters http://localhost:${metricsPort}/metrics`);
  lines.push(`  Data   ${data}`, '  Stop   Ctrl-C', '');
  return lines.join('\n');
}

// Whoever read our output may be gone (`| head`); the service goes on.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
