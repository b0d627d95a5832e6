// The command `npm run chaos`: it injects every known fault into a service of real processes while games are
// played on it, and judges every client's history. It ends by itself and leaves no process behind.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { canOpenSmallDisk } from '../support/small-disk.ts';
import { openRelease } from './previous-release.ts';
import { type Outcome, run } from './run.ts';
import type { Topology } from './schedule.ts';
import { addUp, createTotals, totalOf } from './totals.ts';
import { formatDetails, formatLine, startView } from './view.ts';

const TOPOLOGIES: readonly string[] = ['single', 'sentinel', 'cluster'] satisfies Topology[];
const HELP = `npm run chaos -- [--seed N] [--minutes M] [--redis single|sentinel|cluster]
                 [--faults N] [--tables N] [--from COMMIT-OR-FOLDER]
  --seed     what happens and when; chance by default
  --minutes  how long games and faults go on (1)
  --faults   one run follows another, each with the next seed, until there were so many (1)
  --redis    how Redis is run; by the seed by default
  --tables   lobbies at a time (6)
  --from     the release to update from; without it there are no rolling updates`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      minutes: { type: 'string', default: '1' },
      faults: { type: 'string', default: '1' },
      redis: { type: 'string' },
      tables: { type: 'string', default: '6' },
      from: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  const [tables, faults] = [Number(values.tables), Number(values.faults)];
  const isGood = Number.isSafeInteger(seed) && minutes > 0 && tables >= 1 && faults >= 1;
  if (values.help || !isGood || (values.redis && !TOPOLOGIES.includes(values.redis))) {
    console.log(HELP);
    process.exit(values.help ? 0 : 2);
  }
  return {
    seed,
    durationMs: minutes * 60_000,
    tables,
    faults,
    ...(values.redis && { topology: values.redis as Topology }),
    ...(values.from && { from: values.from }),
  };
}

/** @returns the path of the written file */
function writeHistory(seed: number, outcome: Outcome): string {
  const { topology, violations, histories, harms } = outcome;
  const folder = join(import.meta.dirname, '../../.data');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `chaos-${seed}-${topology}.json`);
  writeFileSync(file, JSON.stringify({ seed, topology, violations, histories, harms }, null, 1));
  return file;
}

const { from, faults, ...options } = readOptions();
const release = from === undefined ? undefined : openRelease(from);
const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

async function runOnce(seed: number): Promise<Outcome> {
  const view = startView(seed, options.durationMs);
  const previous = release && { previous: release.folder };
  try {
    return await run({ ...options, ...previous, seed, signal, onProgress: view.show });
  } finally {
    view.stop();
  }
}

const totals = createTotals();
try {
  let { seed } = options;
  let outcome: Outcome;
  do {
    outcome = await runOnce(seed++);
    addUp(totals, outcome);
    console.log(formatLine(`seed ${seed - 1}, Redis as ${outcome.topology}`, outcome));
  } while (totals.violations.length === 0 && totalOf(totals) < faults && !signal.aborted);
  const runs = seed - options.seed;
  if (runs > 1) console.log(formatLine(`${runs} runs`, totals));
  const circumstances = { hasRelease: release !== undefined, hasDisk: canOpenSmallDisk() };
  console.log(formatDetails(totals, circumstances));
  if (totals.violations.length > 0) {
    console.log(`Again: npm run chaos -- --seed ${seed - 1} --redis ${outcome.topology}`);
    console.log(`The history: ${writeHistory(seed - 1, outcome)}`);
    process.exitCode = 1;
  }
} finally {
  release?.remove();
}
// Open handles of the libraries would keep the process alive.
process.exit();
