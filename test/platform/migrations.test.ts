import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { applyMigrations, MigrationError } from '../../src/platform/postgres/migrations.ts';

const _OWN_MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const created: string[] = [];
let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});

afterAll(async () => {
  for (const name of created) await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  await admin.end();
});

/** @returns the address of a database that does not exist yet */
function newDatabase(): string {
  const name = `Migrations ${process.pid} ${created.length}`;
  created.push(name);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

/** @returns a migrations folder with these scripts */
function newMigrations(scripts: Record<string, string>): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'migrations-'));
  for (const [name, sql] of Object.entries(scripts)) writeMigration(folder, name, sql);
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return folder;
}

function writeMigration(folder: string, name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function rows<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('npm run db:deploy', () => {
  test('applies each migration once when many processes start together', async () => {
    const url = newDatabase();
    const folder = newMigrations({
      '1_words': 'CREATE TABLE words (word text);',
      '2_more': `INSERT INTO words VALUES ('casa'); SELECT pg_sleep(0.1);`,
    });
    const results = await Promise.all(Array.from({ length: 8 }, () => applyMigrations(url, folder)));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['1_words', '2_more']);
    expect(await rows(url, 'SELECT word FROM words')).toEqual([{ word: 'casa' }]);
  });

  test('records each migration as Prisma does', async () => {
    const url = newDatabase();
    const folder = newMigrations({ '1_words': 'CREATE TABLE words (word text);' });
    await applyMigrations(url, folder);
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
  /** Takes a lock on the table as a backup does. @returns a function that releases it */
  async function lockForReading(url: string): Promise<() => Promise<void>> {
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN; LOCK TABLE words IN ACCESS SHARE MODE');
    return () => reader.end();
  }

  test('does not block other sessions, reports that it waits, and is applied afterwards', async () => {
    const url = newDatabase();
    const folder = newMigrations({ '1_words': 'CREATE TABLE words (word text);' });
    await applyMigrations(url, folder);
    const release = await lockForReading(url);
    writeMigration(folder, '2_gloss', 'ALTER TABLE words ADD COLUMN gloss text;');
    const waits: string[] = [];
    const applying = applyMigrations(url, folder, { onWait: (name) => waits.push(name) });
    const client = new pg.Client({ connectionString: url, statement_timeout: 1300 });
    await client.connect();
    // The migration makes several attempts in this time.
    const until = Date.now() + 2500;
    while (Date.now() < until) await client.query(`INSERT INTO words VALUES ('casa')`);
    expect(waits).toEqual(['2_gloss']);
    await release();
    expect((await applying).applied).toEqual(['2_gloss']);
    await client.end();
  });

  test('fails after its time limit with an error that names the lock', async () => {
    const url = newDatabase();
    const folder = newMigrations({ '1_words': 'CREATE TABLE words (word text);' });
    await applyMigrations(url, folder);
    const release = await lockForReading(url);
    writeMigration(folder, '2_gloss', 'ALTER TABLE words ADD COLUMN gloss text;');
    await expect(applyMigrations(url, folder, { giveUpAfterMs: 1500 })).rejects.toThrow(
      /^Migration 2_gloss failed and was rolled back: another session held a lock/,
    );
    await release();
  });

  test('fails after the same time limit while another process is migrating', async () => {
    const url = newDatabase();
    const folder = newMigrations({ '1_words': 'CREATE TABLE words (word text);' });
    await applyMigrations(url, folder);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    await expect(applyMigrations(url, folder, { giveUpAfterMs: 300 })).rejects.toThrow(
      /^Another process has been applying migrations/,
    );
    await other.end();
  });
});

describe('the error of a failed deployment', () => {
  test('names a migration that was edited after it was applied, and no migration runs', async () => {
    const url = newDatabase();
    const folder = newMigrations({ '1_words': 'CREATE TABLE words (word text);' });
    await applyMigrations(url, folder);
    writeMigration(folder, '1_words', 'CREATE TABLE words (word text, gloss text);');
    writeMigration(folder, '2_more', 'CREATE TABLE more (id int);');
    await expect(applyMigrations(url, folder)).rejects.toThrow(/^Migration 1_words was edited/);
    expect(await rows(url, `SELECT to_regclass('more') AS more`)).toEqual([{ more: null }]);
  });

  test('does not take line ends that a checkout has changed for an edit', async () => {
    const url = newDatabase();
    const sql = 'CREATE TABLE words (\n  word text\n);\n';
    const folder = newMigrations({ '1_words': sql });
    await applyMigrations(url, folder);
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
    const url = newDatabase();
    const folder = newMigrations({ '1_words': 'CREATE TABLE words (word text);' });
    await applyMigrations(url, folder);
    await rows(url, `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '2_half')`);
    await expect(applyMigrations(url, folder)).rejects.toThrow(/2_half.*prisma migrate resolve/s);
  });
});
