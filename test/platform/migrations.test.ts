// Migrations are applied in one step each, by one process at a time; `npm run db:deploy` applies them before a new version
// starts, and with --wait that version waits for them. [contract 9]
import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { applyMigrations, MigrationError, pendingMigrations } from '../../src/platform/postgres/migrations.ts';
import { type Program, startProgram } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/sources.ts';
import { connectForTest, withPostgres } from '../support/sql.ts';

const created: string[] = [];
afterAll(() =>
  withPostgres(inject('postgresUrl'), async (admin) => {
    for (const name of created) await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }),
);

/** @returns the address of a database that does not exist yet */
function newDatabase(): string {
  const name = `Migrations ${process.pid} ${created.length}`;
  created.push(name);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

function newMigrations(scripts: Record<string, string>): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'migrations-'));
  for (const [name, sql] of Object.entries(scripts)) writeMigration(folder, name, sql);
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return folder;
}

/** @returns a new database with a table, and the folder of the migration that has created it */
async function migrated(sql = 'CREATE TABLE words (word text);'): Promise<{ url: string; folder: string }> {
  const url = newDatabase();
  const folder = newMigrations({ '1_words': sql });
  await applyMigrations(url, folder);
  return { url, folder };
}

function writeMigration(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

const rows = async (url: string, sql: string) => (await (await connectForTest(url)).query(sql)).rows;

describe('a migration', () => {
  test('is applied once when many processes start together', async () => {
    const url = newDatabase();
    const folder = newMigrations({
      '1_words': 'CREATE TABLE words (word text);',
      '2_more': `INSERT INTO words VALUES ('casa'); SELECT pg_sleep(0.1);`,
    });
    const results = await Promise.all(Array.from({ length: 8 }, () => applyMigrations(url, folder)));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['1_words', '2_more']);
    expect(await rows(url, 'SELECT word FROM words')).toEqual([{ word: 'casa' }]);
  });

  test('is recorded as Prisma does', async () => {
    const { url } = await migrated();
    const [record] = await rows(
      url,
      `SELECT length(id) AS id, checksum, migration_name AS name, finished_at IS NOT NULL AS done,
              applied_steps_count AS steps, rolled_back_at AS undone FROM _prisma_migrations`,
    );
    expect(record).toEqual({
      id: 36,
      // printf 'CREATE TABLE words (word text);' | sha256sum
      checksum: 'c8c9fd61b04d374fc94a749a9109d7ca6c4ada4c9c9e0a8aa6393a1922bf543d',
      name: '1_words',
      done: true,
      steps: 1,
      undone: null,
    });
  });
});

describe('a migration of a table that another session reads for long', () => {
  /** Takes a lock on the table as a backup does. @returns the session, which holds it until its transaction ends */
  async function lockForReading(url: string): Promise<pg.Client> {
    const reader = await connectForTest(url);
    await reader.query('BEGIN; LOCK TABLE words IN ACCESS SHARE MODE');
    return reader;
  }

  test('does not block other sessions, reports that it waits, and is applied afterwards', async () => {
    const { url, folder } = await migrated();
    const reader = await lockForReading(url);
    writeMigration(folder, '2_gloss', 'ALTER TABLE words ADD COLUMN gloss text;');
    const waits: string[] = [];
    const applying = applyMigrations(url, folder, { onWait: (name) => waits.push(name) });
    const client = await connectForTest(url, { statement_timeout: 1300 });
    // The migration makes several attempts in this time.
    const until = Date.now() + 2500;
    while (Date.now() < until) await client.query(`INSERT INTO words VALUES ('casa')`);
    expect(waits).toEqual(['2_gloss']);
    await reader.query('ROLLBACK');
    expect((await applying).applied).toEqual(['2_gloss']);
  });

  test('fails after its time limit with an error that names the lock', async () => {
    const { url, folder } = await migrated();
    await lockForReading(url);
    writeMigration(folder, '2_gloss', 'ALTER TABLE words ADD COLUMN gloss text;');
    await expect(applyMigrations(url, folder, { giveUpAfterMs: 1500 })).rejects.toThrow(
      /^Migration 2_gloss failed and was rolled back: another session held a lock/,
    );
  });

  test('fails after the same time limit while another process is migrating', async () => {
    const { url, folder } = await migrated();
    await rows(url, 'SELECT pg_advisory_lock(72707369)');
    await expect(applyMigrations(url, folder, { giveUpAfterMs: 300 })).rejects.toThrow(
      /^Another process has been applying migrations/,
    );
  });
});

describe('the error of a failed deployment', () => {
  test('names a migration that was edited after it was applied, and no migration runs', async () => {
    const { url, folder } = await migrated();
    writeMigration(folder, '1_words', 'CREATE TABLE words (word text, gloss text);');
    writeMigration(folder, '2_more', 'CREATE TABLE more (id int);');
    await expect(applyMigrations(url, folder)).rejects.toThrow(/^Migration 1_words was edited/);
    expect(await rows(url, `SELECT to_regclass('more') AS more`)).toEqual([{ more: null }]);
  });

  test('does not take line ends that a checkout has changed for an edit', async () => {
    const sql = 'CREATE TABLE words (\n  word text\n);\n';
    const { url, folder } = await migrated(sql);
    writeMigration(folder, '1_words', sql.replaceAll('\n', '\r\n'));
    expect(await applyMigrations(url, folder)).toEqual({ applied: [], total: 1 });
  });

  test('names the migration that failed, which is rolled back while earlier ones stay', async () => {
    const url = newDatabase();
    const folder = newMigrations({
      '1_words': 'CREATE TABLE words (word text);',
      '2_broken': 'CREATE TABLE half (id int); CREATE TABLE words (id int);',
    });
    const failing = applyMigrations(url, folder);
    await expect(failing).rejects.toThrow(MigrationError);
    await expect(failing).rejects.toThrow(/^Migration 2_broken failed.*"words" already exists/);
    expect(await rows(url, `SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
    writeMigration(folder, '2_broken', 'CREATE TABLE half (id int);');
    expect((await applyMigrations(url, folder)).applied).toEqual(['2_broken']);
  });

  test('names the migration that "prisma migrate" left unfinished, and the command that resolves it', async () => {
    const { url, folder } = await migrated();
    await rows(url, `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '2_half')`);
    await expect(applyMigrations(url, folder)).rejects.toThrow(/2_half.*prisma migrate resolve/s);
  });
});

/** Nothing listens there. */
const AWAY = 'postgresql://nobody:hidden@127.0.0.1:1/quiz';

function deploy(databaseUrl: string, ...args: string[]): Program {
  const program = startProgram(['prisma/deploy.ts', ...args], { DATABASE_URL: databaseUrl });
  onTestFinished(async () => void (await program.end('SIGKILL')));
  return program;
}

describe('npm run db:deploy', () => {
  test('applies the pending migrations, and nothing the second time', async () => {
    const url = newDatabase();
    for (const line of [/^Applied (\d+) of \1 migrations: /, /^Nothing to do: all \d+ migrations are applied/]) {
      const deployed = deploy(url);
      expect(await deployed.ended).toBe(0);
      expect(deployed.log()).toMatch(line);
    }
  });

  test('--wait applies nothing, and ends as soon as another process has applied all migrations', async () => {
    const url = newDatabase();
    const waiting = deploy(url, '--wait');
    await eventually(() => expect(waiting.log()).toMatch(/^Waiting for the migrations 2/));
    expect((await pendingMigrations(url)).length).toBeGreaterThan(0);
    expect(await Promise.race([waiting.ended, 'running'])).toBe('running');

    await applyMigrations(url);
    expect(await waiting.ended).toBe(0);
    expect(waiting.log()).toMatch(/All migrations are applied\.\n$/);
    expect(await pendingMigrations(url)).toEqual([]);
  });

  test('--wait continues while the server is unreachable', async () => {
    const waiting = deploy(AWAY, '--wait');
    await eventually(() => expect(waiting.log()).toMatch(/^Waiting: PostgreSQL at 127.0.0.1:1/));
    expect(waiting.log()).not.toContain('hidden');
    expect(await Promise.race([waiting.ended, 'running'])).toBe('running');
  });

  test.each([
    ['DATABASE_URL is missing', '', /^DATABASE_URL is not set/],
    ['DATABASE_URL is no address', 'words', /^DATABASE_URL must look like .*\n$/],
    ['the server is away', AWAY, /^PostgreSQL at 127\.0\.0\.1:1 could not be reached: .*\n$/],
  ])('exits with 1 and one line if %s', async (_what, url, line) => {
    const refused = deploy(url);
    expect(await refused.ended).toBe(1);
    expect(refused.log()).toMatch(line);
  });
});

// Migrations run while processes of the previous release are running, so that they may only add. A column or table is
// dropped one release after the last code that uses it; this test then lists the migration as an exception.

const FOLDER = join(ROOT, 'prisma/migrations');

const BREAKING: Record<string, RegExp> = {
  'removes something': /\bDROP (TABLE|COLUMN|TYPE|VIEW|CONSTRAINT)\b/i,
  'deletes rows': /\b(TRUNCATE|DELETE FROM)\b/i,
  'renames something': /\bRENAME\b/i,
  'changes a column': /\bALTER COLUMN "?\w+"? (SET DATA )?TYPE\b/i,
  'asks old code for a value': /\bSET NOT NULL\b|\bADD COLUMN [^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/i,
};

/** No process reads what these migrations remove. */
const EXCEPTIONS = ['20261126003000_answers_by_seat deletes rows', '20261126140000_translation_keys removes something'];

/** @returns the changes in `sql` that break the previous release */
function breakingIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  return Object.keys(BREAKING).filter((what) => BREAKING[what]?.test(code));
}

test('every migration can be applied while the previous release is running', () => {
  const files = globSync('*/migration.sql', { cwd: FOLDER }).sort();
  const faults = files.flatMap((file) =>
    breakingIn(readFileSync(join(FOLDER, file), 'utf8')).map((what) => `${dirname(file)} ${what}`),
  );
  expect(faults).toEqual(EXCEPTIONS);
});

test.each([
  ['ALTER TABLE "game" DROP COLUMN "code";', ['removes something']],
  ['TRUNCATE TABLE "game" CASCADE;', ['deletes rows']],
  ['DELETE FROM "game" WHERE "rounds" = 0;', ['deletes rows']],
  ['ALTER TABLE "game" RENAME COLUMN "code" TO "kode";', ['renames something']],
  ['ALTER TABLE "game" ALTER COLUMN "code" TYPE text;', ['changes a column']],
  ['ALTER TABLE "game" ADD COLUMN "mode" TEXT NOT NULL;', ['asks old code for a value']],
  [`ALTER TABLE "game" ADD COLUMN "mode" TEXT NOT NULL DEFAULT 'x';`, []],
  ['-- DROP TABLE\nCREATE TABLE "x" ("y" TEXT NOT NULL); DROP INDEX "z";', []],
])('the check detects what breaks the previous release, and no more: %s', (sql, changes) => {
  expect(breakingIn(sql)).toEqual(changes);
});
