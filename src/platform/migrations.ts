// Applies the Prisma migrations over the plain driver, so that neither production nor a test needs
// the Prisma CLI and its native engine. The bookkeeping is Prisma's own, lock and checksums
// included: `prisma migrate status` agrees, and the two may be mixed freely.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import {
  codeOf,
  connect,
  connectOrCreate,
  explain,
  MigrationError,
  parseDatabaseUrl,
} from './migration-connection.ts';

export { MigrationError };

const DEFAULT_FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
/** The key of the advisory lock that `prisma migrate` takes too. */
const LOCK_KEY = 72_707_369;

/**
 * How long one attempt waits for a lock on a table. While it waits behind a long reader, whoever comes
 * later waits behind it: shorter than the service gives a statement. Now and then it is long enough for
 * PostgreSQL to send an autovacuum away, which it does after a second.
 */
const LOCK_WAITS_MS = [400, 400, 400, 1200];
const PAUSE_MS = 1000;
/** How long attempts go on, and how long another process's turn is waited for. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings the database up to date, creating it first if it is missing. Each migration is one
 * transaction together with its bookkeeping, so a crash leaves it applied or untouched, never half
 * done. Any number of processes may call it at once: they take turns, and the later ones find
 * nothing to do. Who reads a table for long, as a backup does, is let finish, and nobody else waits.
 * @param databaseUrl a `postgresql://` address that names the database
 * @param folder where the migrations are, one folder each
 * @param options.giveUpAfterMs how long a lock that somebody else holds is asked for
 * @param options.onWait told once for each migration that has to wait for a lock
 * @returns the names of the migrations applied by this very call, and how many there are in all
 * @throws MigrationError when the server can't be reached, an applied migration was edited, or
 *   one fails
 */
export async function applyMigrations(
  databaseUrl: string,
  folder: string = DEFAULT_FOLDER,
  { giveUpAfterMs = GIVE_UP_AFTER_MS, onWait = () => {} }: Partial<Waiting> = {},
): Promise<{ applied: string[]; total: number }> {
  const migrations = await readMigrations(folder);
  const client = await connectOrCreate(databaseUrl);
  try {
    // A time limit of the role's would end the wait for the lock, or a long migration.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await waitForTurn(client, giveUpAfterMs);
    await client.query(BOOKKEEPING);
    const done = await readApplied(client);
    const applied: string[] = [];
    for (const migration of migrations) {
      const checksum = done.get(migration.name);
      if (checksum !== undefined) refuseEdited(migration, checksum);
      else {
        await applyWhenFree(client, migration, { giveUpAfterMs, onWait });
        applied.push(migration.name);
      }
    }
    return { applied, total: migrations.length };
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw new MigrationError(`Migrations not applied: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    // Closing the session gives the lock back.
    await client.end();
  }
}

/**
 * Looks, and changes nothing: for a process that must not start before another one has migrated.
 * @returns the names of the migrations that the database has not got yet
 * @throws MigrationError when the server can't be reached, or an applied migration was edited
 */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const migrations = await readMigrations(DEFAULT_FOLDER);
  const done = await readDone(parseDatabaseUrl(databaseUrl));
  for (const migration of migrations) {
    const checksum = done.get(migration.name);
    if (checksum !== undefined) refuseEdited(migration, checksum);
  }
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

/** Of a database, or a table, that isn't there yet nothing is applied. */
async function readDone(url: URL): Promise<Map<string, string>> {
  let client: pg.Client | undefined;
  try {
    client = await connect(url);
    return await readApplied(client);
  } catch (error) {
    // 3D000, 42P01: no such database, no such table.
    if (['3D000', '42P01'].includes(codeOf(error))) return new Map();
    throw error instanceof MigrationError ? error : explain(error, url);
  } finally {
    await client?.end();
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: sha256(sql) };
    }),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find((row) => !row.finished);
  if (unfinished)
    throw new MigrationError(
      `Migration ${unfinished.name} was started by "prisma migrate" and failed. Repair the ` +
        `database, then run: npx prisma migrate resolve --applied ${unfinished.name} ` +
        '(or --rolled-back).',
    );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Like Prisma, forgives line ends that a checkout on another system has changed. */
function refuseEdited({ name, sql, checksum }: Migration, applied: string): void {
  const unix = sql.replaceAll('\r\n', '\n');
  const same = [checksum, sha256(unix), sha256(unix.replaceAll('\n', '\r\n'))];
  if (!same.includes(applied))
    throw new MigrationError(
      `Migration ${name} was edited after it had been applied to this database. Restore its file ` +
        'and put the change into a new migration.',
    );
}

interface Waiting {
  giveUpAfterMs: number;
  onWait: (migration: string) => void;
}

/** Others wait in line on purpose here: nobody but migrations asks for this lock. */
async function waitForTurn(client: pg.Client, giveUpAfterMs: number): Promise<void> {
  await client.query(`SET lock_timeout = ${giveUpAfterMs}`);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new MigrationError('Another process has been applying migrations for too long.');
  }
}

/** Attempts it until it gets its locks at once, or almost; in between everybody else goes on. */
async function applyWhenFree(
  client: pg.Client,
  migration: Migration,
  { giveUpAfterMs, onWait }: Waiting,
): Promise<void> {
  const giveUpAt = Date.now() + giveUpAfterMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await apply(
        client,
        migration,
        LOCK_WAITS_MS[attempt % LOCK_WAITS_MS.length] as number,
      );
    } catch (error) {
      const isOver = Date.now() + PAUSE_MS > giveUpAt;
      if (!isLockTimeout(error) || isOver) throw explainFailure(error, migration);
    }
    if (attempt === 0) onWait(migration.name);
    await sleep(PAUSE_MS);
  }
}

async function apply(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  lockWaitMs: number,
): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}`);
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function explainFailure(error: unknown, { name }: Migration): MigrationError {
  const reason = isLockTimeout(error)
    ? 'somebody has held a lock on a table of it all the time (pg_stat_activity says who)'
    : error instanceof Error
      ? error.message
      : String(error);
  return new MigrationError(`Migration ${name} failed and was rolled back: ${reason}`);
}

const isLockTimeout = (error: unknown) => codeOf(error) === '55P03';
