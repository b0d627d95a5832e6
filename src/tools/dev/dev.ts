// npm run dev: the whole service on this machine, from nothing but Node.js and npm. [contract 9]
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config.ts';
import { asksForHelp, removeStack } from '../command.ts';
import { PROJECT_ROOT } from './child.ts';
import { type Launch, launch } from './launch.ts';
import { acquireLock } from './lock.ts';
import { prepareDataDir, readSettings } from './settings.ts';

/** A second signal within this many ms is the same Ctrl-C, which both the terminal and npm send. */
const SAME_SIGNAL_MS = 500;

const USAGE = `Usage: npm run dev
    Runs the whole service on this machine: PostgreSQL, Redis, the API and a worker, with the built-in
    words. It prints the address to open; Ctrl-C stops everything that it has started.
    Settings are variables of the environment, or of a file .env; .env.example describes all of them:
      PORT, HOST                 where the API listens (3000, all addresses)
      API_REPLICAS               the number of API processes, on PORT and the ports after it (1)
      DATABASE_URL, REDIS_URL    stores of your own
      DATA_DIR                   the folder with everything that is kept between runs (.data)`;

let running: Launch | undefined;
let stoppingSince: number | undefined;

try {
  await main();
} catch (error) {
  console.error(explain(error));
  await running?.stop();
  process.exit(1);
}

async function main(): Promise<void> {
  if (asksForHelp(process.argv.slice(2))) {
    console.log(USAGE);
    return;
  }
  const envFile = join(PROJECT_ROOT, '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const settings = readSettings(process.env);
  prepareDataDir(settings.dataDir);
  // The service continues when the reader of the output is gone, as with `| head`.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  // A signal that comes earlier than its listener would leave the lock's file behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void onSignal());
  const lock = await acquireLock(settings.dataDir);
  // However this process ends, neither file may claim that something still runs.
  process.once('exit', () => {
    removeStack(settings.dataDir);
    lock.release();
  });
  console.log(`\n  Vocabulary quiz, local stack on Node.js ${process.versions.node}\n`);
  if (lock.takenOver) console.log('  The last run was cut off; its processes have ended.');
  running = launch(settings);
  try {
    await running.started;
  } catch (error) {
    // A signal that arrives during the start is no failure.
    if (stoppingSince === undefined) throw error;
  }
}

async function onSignal(): Promise<void> {
  if (stoppingSince !== undefined) {
    if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
    console.log('Second signal: what still runs is ended within seconds.');
    process.exit(1);
  }
  stoppingSince = performance.now();
  console.log('\nStopping…');
  try {
    await running?.stop();
    console.log('Stopped.');
    process.exit(0);
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.lines.join('\n');
  return `\n${error instanceof Error ? error.message : String(error)}`;
}
