// npm run chaos: a service of real processes is harmed in every way that is known, while games are
// played on it; every client's history is judged. Ends by itself, and leaves nothing behind.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertNodeVersion } from '../../src/local-stack/node-version.ts';
import { openRelease } from './previous-release.ts';
import { type Outcome, run } from './run.ts';
import type { Topology } from './schedule.ts';
import { formatSummary, startView } from './view.ts';

const TOPOLOGIES: readonly string[] = ['single', 'sentinel', 'cluster'] satisfies Topology[];
const HELP = `npm run chaos -- [--seed N] [--minutes M] [--redis single|sentinel|cluster]
                 [--tables N] [--from COMMIT-OR-FOLDER]
  --seed     what happens and when; chance by default
  --minutes  how long games and faults go on (1)
  --redis    how Redis is run; by the seed by default
  --tables   lobbies at a time (6)
  --from     the release to update from; without it there are no rolling updates`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      minutes: { type: 'string', default: '1' },
      redis: { type: 'string' },
      tables: { type: 'string', default: '6' },
      from: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [seed, minutes, tables] = [values.seed, values.minutes, values.tables].map(Number);
  const isGood = Number.isSafeInteger(seed) && Number(minutes) > 0 && Number(tables) >= 1;
  if (values.help || !isGood || (values.redis && !TOPOLOGIES.includes(values.redis))) {
    console.log(HELP);
    process.exit(values.help ? 0 : 2);
  }
  return {
    seed: seed as number,
    durationMs: (minutes as number) * 60_000,
    tables: tables as number,
    ...(values.redis && { topology: values.redis as Topology }),
    ...(values.from && { from: values.from }),
  };
}

/** @returns the file */
function writeHistory(seed: number, outcome: Outcome): string {
  const { topology, violations, histories, harms } = outcome;
  const folder = join(import.meta.dirname, '../../.data');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `chaos-${seed}-${topology}.json`);
  writeFileSync(file, JSON.stringify({ seed, topology, violations, histories, harms }, null, 1));
  return file;
}

assertNodeVersion();
const { from, ...options } = readOptions();
const release = from === undefined ? undefined : openRelease(from);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const view = startView(options.seed, options.durationMs);
try {
  const outcome = await run({
    ...options,
    ...(release && { previous: release.folder }),
    signal: stopping.signal,
    onProgress: view.show,
  });
  view.stop();
  console.log(formatSummary(options.seed, outcome, release !== undefined));
  if (outcome.violations.length > 0) {
    console.log(`The history: ${writeHistory(options.seed, outcome)}`);
    process.exitCode = 1;
  }
} finally {
  view.stop();
  release?.remove();
}
// What the libraries still hold keeps nobody waiting.
process.exit();
