// Runs `npm run rehearse-restore` as an operator does, against the PostgreSQL of this machine's packages.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { applyMigrations, connect } from '../../src/platform/postgres/migrations.ts';
import { spawnManaged } from '../../src/tools/dev/managed-process.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { POSTGRES_ENV, serverUser } from '../../src/tools/dev/postgres.ts';
import { type EmbeddedRedis, startRedis } from '../../src/tools/dev/redis.ts';
import { compareRows } from '../rehearsal/database.ts';
import { startProgram } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';

/** Starts a server with `initdb` and `postgres` from PATH, since `pg_dump` must be as new as the server. */
async function startInstalledPostgres(folder: string) {
  const dataDir = join(folder, 'data');
  const user = serverUser(dataDir);
  mkdirSync(dataDir, { mode: 0o700 });
  if (user) chownSync(dataDir, user.uid, user.gid);
  const common = { cwd: dataDir, env: POSTGRES_ENV };
  const initialise = ['-D', dataDir, '-U', 'postgres', '--auth=trust', '-E', 'UTF8'];
  execFileSync('initdb', initialise, { ...common, ...user });
  const port = await freePort();
  const args = ['-D', dataDir, '-p', `${port}`, '-k', dataDir, '-c', 'fsync=off'];
  const logFile = join(folder, 'log');
  const server = await spawnManaged({ command: 'postgres', args, ...common, user, logFile, stopSignal: 'SIGINT' });
  const urlOf = (database: string) => new URL(`postgresql://postgres@127.0.0.1:${port}/${database}`);
  await eventually(async () => (await connect(urlOf('postgres'))).end());
  return { urlOf, stop: () => server.stop() };
}

const PROGRAM = join(import.meta.dirname, '../rehearsal/main.ts');

let postgres: Awaited<ReturnType<typeof startInstalledPostgres>>;
let client: pg.Client;
let redis: EmbeddedRedis;
let folder: string;
/** The temporary folder of the rehearsals. */
let scratch: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiz-rehearsals-'));
  // PostgreSQL may run as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  redis = await startRedis({ dataDir: join(folder, 'redis'), persist: false });
  postgres = await startInstalledPostgres(folder);
  await applyMigrations(postgres.urlOf('quiz').href);
  await loadTestVocabulary(postgres.urlOf('quiz').href);
  client = await connect(postgres.urlOf('quiz'));
});
afterAll(async () => {
  await client?.end();
  await postgres?.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function rehearse(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const addresses = ['--from', postgres.urlOf('quiz').href, '--into', postgres.urlOf('postgres').href];
  return startProgram([PROGRAM, ...addresses, ...args], { ...process.env, TMPDIR: scratch, ...env });
}

async function expectNothingLeft(): Promise<void> {
  const { rows } = await client.query("SELECT datname FROM pg_database WHERE datname LIKE 'rehea%'");
  expect(rows).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
}

/** Adds users until the returned function is called. */
function keepWriting(): () => Promise<void> {
  let isOver = false;
  const writing = (async () => {
    for (let index = 0; !isOver; index++)
      await client.query(`INSERT INTO "user" (name, email) VALUES ('Cy', $1)`, [`cy-${index}@example.com`]);
  })();
  return () => {
    isOver = true;
    return writing;
  };
}

test('the database of a service that is writing is dumped, restored, migrated and played on', async () => {
  const stopWriting = keepWriting();
  onTestFinished(stopWriting);
  const { ended, log } = rehearse(['--redis', redis.url]);
  expect([await ended, log()]).toEqual([0, expect.stringContaining('The restored service works.')]);
  const steps = log().matchAll(/^(\w.*?) +[\d.]+ s/gm);
  expect([...steps].map(([, name]) => name).join()).toBe('dump,restore,migrate,start,sign up,quizzes and games');
  await expectNothingLeft();
  const own = new Redis(redis.url);
  onTestFinished(() => own.disconnect());
  expect(await own.dbsize()).toBe(0);
});

test('a rehearsal that is stopped half-way leaves nothing behind', async () => {
  const { end, log } = rehearse();
  await eventually(() => expect(log()).toMatch(/^start /m), { timeoutMs: 90_000 });
  expect([await end('SIGTERM'), log()]).toEqual([1, expect.stringContaining('Stopped.')]);
  await expectNothingLeft();
});

test('client programs that are older than the server are refused in a sentence', async () => {
  const old = join(folder, 'old');
  mkdirSync(old);
  for (const program of ['pg_dump', 'pg_restore'])
    writeFileSync(join(old, program), `#!/bin/sh\necho "${program} (PostgreSQL) 9.6.24"\n`, { mode: 0o755 });
  const { ended, log } = rehearse([], { PATH: [old, process.env.PATH].join(delimiter) });
  expect(await ended).toBe(1);
  expect(log()).toMatch(/^pg_dump is of PostgreSQL 9, .*: install postgresql-client-\d+, .*\.\n$/);
});

test('a Redis that is not empty is refused and left unchanged', async () => {
  const own = new Redis(redis.url);
  onTestFinished(() => own.disconnect());
  await own.set('somebody', 'plays');
  const { ended, log } = rehearse(['--redis', redis.url]);
  expect(await ended).toBe(1);
  expect(log()).toMatch(/^The Redis at --redis has 1 keys: name an empty one/m);
  expect(await own.getdel('somebody')).toBe('plays');
  await expectNothingLeft();
});

test('a table that has lost a row, or is missing, is named', () => {
  const dumped = new Map(Object.entries({ term: 3, user: 2, lobby: 0 }));
  const restored = new Map(Object.entries({ term: 3, user: 1 }));
  expect(() => compareRows(dumped, dumped)).not.toThrow();
  expect(() => compareRows(dumped, restored)).toThrow(
    'Rows differ, dumped and restored: user (2, 1), lobby (0, missing).',
  );
});
