// npm run db:deploy applies the migrations before a new version starts, and with --wait that version waits
// for them. [contract 9]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { applyMigrations, pendingMigrations } from '../../src/platform/postgres/migrations.ts';
import { eventually } from '../support/eventually.ts';

const ROOT = join(import.meta.dirname, '../..');
const created: string[] = [];
const running = new Set<ChildProcess>();
let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const name of created) await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await admin.end();
});

/** @returns the address of a database that does not exist yet */
function newDatabase(): string {
  const name = `deploy_${process.pid}_${created.length}`;
  created.push(name);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

function deploy(databaseUrl: string | undefined, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, ['prisma/deploy.ts', ...args], { cwd: ROOT, env });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number;
  });
  return { ended, output: () => output, isRunning: () => running.has(child) };
}

test('applies the pending migrations, and nothing the second time', async () => {
  const url = newDatabase();
  const first = deploy(url);
  expect(await first.ended).toBe(0);
  expect(first.output()).toMatch(/^Applied (\d+) of \1 migrations: /);
  const second = deploy(url);
  expect(await second.ended).toBe(0);
  expect(second.output()).toMatch(/^Nothing to do: all \d+ migrations are applied/);
});

test('--wait applies nothing, and ends as soon as another process has applied all migrations', async () => {
  const url = newDatabase();
  const waiting = deploy(url, '--wait');
  await eventually(() => expect(waiting.output()).toMatch(/^Waiting for the migrations 2/));
  expect((await pendingMigrations(url)).length).toBeGreaterThan(0);
  expect(waiting.isRunning()).toBe(true);

  await applyMigrations(url);
  expect(await waiting.ended).toBe(0);
  expect(waiting.output()).toMatch(/All migrations are applied\.\n$/);
  expect(await pendingMigrations(url)).toEqual([]);
});

test('--wait continues while the server is unreachable', async () => {
  const waiting = deploy('postgresql://nobody:hidden@127.0.0.1:1/quiz', '--wait');
  await eventually(() => expect(waiting.output()).toMatch(/^Waiting: PostgreSQL at 127.0.0.1:1/));
  expect(waiting.output()).not.toContain('hidden');
  expect(waiting.isRunning()).toBe(true);
});

test('exits with 1 and one line if DATABASE_URL is missing', async () => {
  const refused = deploy('');
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toMatch(/^DATABASE_URL is not set/);
});

test('exits with 1 and one line if it fails', async () => {
  const away = deploy('postgresql://nobody:hidden@127.0.0.1:1/quiz');
  expect(await away.ended).toBe(1);
  expect(away.output()).toMatch(/^PostgreSQL at 127\.0\.0\.1:1 could not be reached: .*\n$/);
  const wrong = deploy('words');
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toMatch(/^DATABASE_URL must look like .*\n$/);
});
