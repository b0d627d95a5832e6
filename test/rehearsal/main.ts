// The command `npm run rehearse-restore`: it dumps the database of a running service, restores it into an
// empty one, and plays there. It prints the duration of each step, exits with 1 and a sentence when one
// fails, and leaves nothing behind.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ApiError } from '../../src/client/index.ts';
import { MigrationError, parseDatabaseUrl } from '../../src/platform/postgres/migrations.ts';
import { checkVersions, compareRows, dump, makeDatabase, RehearsalError, restore } from './database.ts';
import { play, signUp } from './play.ts';
import { createStage, startOwnRedis, takeRedis } from './stage.ts';

const HELP = `npm run rehearse-restore -- --from DATABASE_URL --into DATABASE_URL [--redis REDIS_URL]
  --from   the database of the running service, as its owner, and not through PgBouncer
  --into   any database of the server in which the rehearsal creates and drops a database of its own,
           as a role with CREATEDB
  --redis  an empty Redis for the rehearsal; by default one is started on this machine`;

const TEXT = { type: 'string' } as const;
const OPTIONS = { from: TEXT, into: TEXT, redis: TEXT, help: { type: 'boolean', short: 'h', default: false } } as const;

/** Functions that remove what the rehearsal has created; the latest runs first. */
const leftovers: (() => unknown)[] = [];
const stopping = new AbortController();
const { signal } = stopping;

function readOptions(): { from: URL; into: URL; redisUrl?: string } {
  try {
    const { from, into, redis, help } = parseArgs({ options: OPTIONS }).values;
    if (!help && from && into) {
      const urls = { from: parseDatabaseUrl(from), into: parseDatabaseUrl(into) };
      return redis ? { ...urls, redisUrl: redis } : urls;
    }
    console.log(HELP);
    process.exit(help ? 0 : 1);
  } catch (error) {
    const isAddress = error instanceof MigrationError;
    const { message } = error as Error;
    throw new RehearsalError(isAddress ? message.replace('DATABASE_URL', '--from and --into') : `${message}\n${HELP}`);
  }
}

/** Registers a clean-up before the creation is complete, since the rehearsal may be stopped meanwhile. */
function make<T>(making: Promise<T>, remove: (made: T) => unknown): Promise<T> {
  leftovers.push(() => making.then(remove, () => {}));
  return making;
}

/** @param noteOf returns a remark about the result */
async function step<T>(what: string, work: () => Promise<T>, noteOf?: (result: T) => string) {
  const startedAt = performance.now();
  const result = await work();
  signal.throwIfAborted();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${what.padEnd(24)}${seconds.padStart(7)} s  ${noteOf?.(result) ?? ''}`.trimEnd());
  return result;
}

async function rehearse(): Promise<void> {
  const { from, into, redisUrl } = readOptions();
  await checkVersions(from, into, signal);
  const folder = mkdtempSync(join(tmpdir(), 'quiz-rehearsal-'));
  leftovers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const file = join(folder, 'quiz.dump');
  const dumped = await step(
    'dump',
    () => dump(from, file, signal),
    () => `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`,
  );
  const { url } = await make(makeDatabase(into), ({ drop }) => drop());
  const restored = await step(
    'restore',
    () => restore(file, url, signal),
    (counts) => `${[...counts.values()].reduce((sum, rows) => sum + rows)} rows in ${counts.size} tables`,
  );
  compareRows(dumped, restored);
  await step('migrate', () => migrate(url));
  const opening = redisUrl ? takeRedis(redisUrl) : startOwnRedis(folder);
  const redis = await make(opening, (own) => own.stop());
  const stage = await make(createStage(url.href, redis.url, folder), (made) => made.stop());
  await step('start', () => stage.start());
  const accounts = await step('sign up', () => signUp(stage, folder));
  await step('quizzes and games', () => play(stage, accounts, signal));
}

/** Migrates as the migration Job does. */
async function migrate(url: URL): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url.href };
  const root = join(import.meta.dirname, '../..');
  const options = { cwd: root, env, signal };
  await promisify(execFile)(process.execPath, ['prisma/deploy.ts'], options).catch(({ stderr }) => {
    throw new RehearsalError(`The migrations fail: ${String(stderr).trim()}`);
  });
}

function explain(error: unknown): unknown {
  if (signal.aborted) return 'Stopped.';
  if (error instanceof ApiError) return `The restored service refuses: ${error.status} ${error.code}, ${error.message}`;
  // Only a defect prints a stack trace.
  return error instanceof RehearsalError ? error.message : error;
}

const stopped = Promise.withResolvers<never>();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stopping.abort();
    stopped.reject(signal.reason);
  });

const rehearsal = rehearse();
try {
  await Promise.race([rehearsal, stopped.promise]);
  console.log('The restored service works.');
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
for (const remove of leftovers.reverse()) {
  try {
    await remove();
  } catch (error) {
    console.error('Something is left behind:', explain(error));
    process.exitCode = 1;
  }
}
// Open handles of the libraries would keep the process alive.
process.exit();
