// The command `npm run chaos`: it injects every known fault into a service of real processes while games are
// played on it, and judges every client's history. It ends by itself and leaves no process behind.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { asksForHelp, showProgress } from '../../src/tools/command.ts';
import { canOpenSmallDisk } from '../support/small-disk.ts';
import { openRelease } from './previous-release.ts';
import { type Outcome, run } from './run.ts';
import type { Topology } from './schedule.ts';
import { addUp, createTotals, describeTotals, formatDetails, totalOf } from './totals.ts';

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
  const text = { type: 'string' } as const;
  const numbers = { minutes: { ...text, default: '1' }, faults: { ...text, default: '1' } };
  const options = { ...numbers, seed: text, tables: { ...text, default: '6' }, redis: text, from: text };
  const { seed = Math.floor(Math.random() * 1e9), from, redis, ...values } = parseArgs({ options }).values;
  const read = { seed: Number(seed), tables: Number(values.tables), faults: Number(values.faults) };
  const durationMs = Number(values.minutes) * 60_000;
  const isGood = Number.isSafeInteger(read.seed) && durationMs > 0 && read.tables >= 1 && read.faults >= 1;
  if (!isGood || (redis && !TOPOLOGIES.includes(redis))) {
    console.log(HELP);
    process.exit(2);
  }
  return { ...read, durationMs, ...(redis && { topology: redis as Topology }), ...(from && { from }) };
}

/** @returns the path of the written file */
function writeHistory(seed: number, { topology, violations, histories, harms }: Outcome): string {
  const folder = join(import.meta.dirname, '../../.data');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `chaos-${seed}-${topology}.json`);
  writeFileSync(file, JSON.stringify({ seed, topology, violations, histories, harms }, null, 1));
  return file;
}

if (asksForHelp(process.argv)) {
  console.log(HELP);
  process.exit(0);
}
const { from, faults, ...options } = readOptions();
const { durationMs } = options;
const release = from === undefined ? undefined : openRelease(from);
const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

async function runOnce(seed: number): Promise<Outcome> {
  const describe = (outcome: Outcome, elapsedMs: number) =>
    describeTotals(`seed ${seed}, Redis as ${outcome.topology}`, outcome, elapsedMs, durationMs);
  let stopView = () => {};
  const onStart = (outcome: Outcome) => {
    stopView = showProgress((elapsedMs) => describe(outcome, elapsedMs), process.stderr);
  };
  const previous = release && { previous: release.folder };
  const outcome = await run({ ...options, ...previous, seed, signal, onStart }).finally(() => stopView());
  console.log(describe(outcome, durationMs));
  return outcome;
}

const totals = createTotals();
try {
  let { seed } = options;
  let outcome: Outcome;
  do {
    outcome = await runOnce(seed++);
    addUp(totals, outcome);
  } while (totals.violations.length === 0 && totalOf(totals) < faults && !signal.aborted);
  const isWrong = totals.violations.length > 0;
  const files = isWrong ? [writeHistory(seed - 1, outcome)] : [];
  console.log(formatDetails(totals, { hasRelease: release !== undefined, hasDisk: canOpenSmallDisk() }, files));
  if (isWrong) {
    console.log(`Again: npm run chaos -- --seed ${seed - 1} --redis ${outcome.topology}`);
    process.exitCode = 1;
  }
} finally {
  release?.remove();
}
// Open handles of the libraries would keep the process alive.
process.exit();
