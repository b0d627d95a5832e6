// Applies Prisma's migrations with the plain driver, so that neither production nor a test needs the Prisma CLI. The
// bookkeeping is Prisma's, lock and checksums included, so that both ways to migrate may be mixed.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const DEFAULT_FOLDER = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
/** The key of the advisory lock, which `prisma migrate` takes too. */
const LOCK_KEY = 72_707_369;

/**
 * How long consecutive attempts wait for a lock on a table, in ms: shorter than the service's statement timeout, since
 * later statements on the table wait behind the migration. Every fourth wait exceeds a second, after which PostgreSQL
 * cancels an autovacuum that holds the lock.
 */
const LOCK_WAITS_MS = [400, 400, 400, 1200];
/** Pause between two attempts, in which the statements that waited behind the migration run. */
const PAUSE_MS = 1000;
const GIVE_UP_AFTER_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long to wait for a server that is starting up. */
const STARTING_UP_MS = 15_000;

const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** Migrations could not be applied. The message names the migration and the reason, and contains no password. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Applies all pending migrations, and creates the database first if it is missing. A migration and its bookkeeping are
 * one transaction, so that a crash leaves it applied or untouched. Any number of processes may call this at once. A
 * long reader of a table, such as a backup, is not interrupted.
 * @param options.giveUpAfterMs how long to try to get a lock that somebody else holds
 * @param options.onWait called once for each migration that has to wait for a lock
 * @throws MigrationError when the server can't be reached, an applied migration was edited, or a migration fails
 */
export async function applyMigrations(
  databaseUrl: string,
  folder: string = DEFAULT_FOLDER,
  { giveUpAfterMs = GIVE_UP_AFTER_MS, onWait = (_migration: string): void => {} } = {},
): Promise<{ applied: string[]; total: number }> {
  const migrations = await readMigrations(folder);
  const client = await connectOrCreate(databaseUrl);
  try {
    // The role may have timeouts that would end the wait for the lock, or a long migration.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    // Only processes that migrate ask for this lock, so that the wait may take minutes.
    await client.query(`SET lock_timeout = ${giveUpAfterMs}`);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(BOOKKEEPING);
    const pending = withoutApplied(migrations, await readApplied(client));
    for (const migration of pending) await applyWhenFree(client, migration, { giveUpAfterMs, onWait });
    return { applied: pending.map(({ name }) => name), total: migrations.length };
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    if (isLockTimeout(error)) throw new MigrationError('Another process has been applying migrations for too long.');
    throw new MigrationError(`Migrations not applied: ${(error as Error).message}`, { cause: error });
  } finally {
    // The end of the session releases the advisory lock.
    await client.end();
  }
}

/** @returns the names of those to apply; all without a database @throws MigrationError as above */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const migrations = await readMigrations(DEFAULT_FOLDER);
  const url = parseDatabaseUrl(databaseUrl);
  let client: pg.Client | undefined;
  try {
    client = await connect(url);
    return withoutApplied(migrations, await readApplied(client)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    // 3D000 invalid_catalog_name, 42P01 undefined_table.
    if (!['3D000', '42P01'].includes(codeOf(error))) throw explain(error, url);
    return migrations.map(({ name }) => name);
  } finally {
    await client?.end();
  }
}

async function readMigrations(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      // Other line ends, as a checkout on another system makes them, are no edit.
      const sql = (await readFile(join(folder, name, 'migration.sql'), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

type Migration = Awaited<ReturnType<typeof readMigrations>>[number];

/** @returns the checksums of the applied migrations by their names */
async function readApplied(client: pg.Client) {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find((row) => !row.finished);
  if (unfinished)
    throw new MigrationError(
      `Migration ${unfinished.name} was started by "prisma migrate" and failed. Repair the database, then run: ` +
        `npx prisma migrate resolve --applied ${unfinished.name} (or --rolled-back).`,
    );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** @throws MigrationError where an applied migration was edited */
function withoutApplied(migrations: Migration[], applied: Map<string, string>): Migration[] {
  const edited = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited)
    throw new MigrationError(
      `Migration ${edited.name} was edited after it had been applied to this database. Restore its file ` +
        'and put the change into a new migration.',
    );
  return migrations.filter(({ name }) => !applied.has(name));
}

/** Tries again until the migration gets its locks within the short timeout; between attempts others proceed. */
async function applyWhenFree(
  client: pg.Client,
  migration: Migration,
  { giveUpAfterMs, onWait }: { giveUpAfterMs: number; onWait(migration: string): void },
): Promise<void> {
  const { name } = migration;
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await apply(client, migration, LOCK_WAITS_MS[attempt % LOCK_WAITS_MS.length] as number);
    } catch (error) {
      if (!isLockTimeout(error))
        throw new MigrationError(`Migration ${name} failed and was rolled back: ${(error as Error).message}`);
      if (performance.now() + PAUSE_MS > giveUpAt)
        throw new MigrationError(
          `Migration ${name} failed and was rolled back: another session held a lock on one of its tables all the ` +
            'time (pg_stat_activity shows which)',
        );
    }
    if (attempt === 0) onWait(name);
    await sleep(PAUSE_MS);
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration, lockWaitMs: number): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}`);
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const isLockTimeout = (error: unknown) => codeOf(error) === '55P03';

/** Creates the database when it does not exist. @throws MigrationError when it can't be reached or refuses the login */
async function connectOrCreate(databaseUrl: string): Promise<pg.Client> {
  const url = parseDatabaseUrl(databaseUrl);
  try {
    return await connect(url).catch(async (error: unknown) => {
      if (codeOf(error) !== '3D000') throw error;
      await createDatabase(url);
      return connect(url);
    });
  } catch (error) {
    throw explain(error, url);
  }
}

async function createDatabase(url: URL): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const admin = await connect(maintenance);
  try {
    await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(decodeURIComponent(url.pathname.slice(1)))}`);
  } catch (error) {
    // 42P04 duplicate_database, 23505 unique_violation: another process has created it meanwhile.
    if (!['42P04', '23505'].includes(codeOf(error))) throw error;
  } finally {
    await admin.end();
  }
}

/** @throws MigrationError unless the address is a `postgresql://` URL with the name of a database */
export function parseDatabaseUrl(databaseUrl: string): URL {
  const url = URL.parse(databaseUrl);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new MigrationError('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
  return url;
}

/** Connects, and tries again while the server is starting up. @throws Error of the driver */
export async function connect(url: URL): Promise<pg.Client> {
  const giveUpAt = performance.now() + STARTING_UP_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // An error without a listener would end the process when the connection breaks between two queries.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      // 57P03 cannot_connect_now: the server is starting up.
      if (codeOf(error) !== '57P03' || performance.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}

/** @returns the SQLSTATE or the system's error code; '' for any other error */
export const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** @returns the failure to connect as a sentence with the server's address and without the password */
export function explain(error: unknown, url: URL): MigrationError {
  const where = `${url.hostname}:${url.port || 5432}`;
  const reason = error instanceof Error && error.message ? error.message : codeOf(error);
  const what = /^28/.test(codeOf(error)) ? 'refused the login' : 'could not be reached';
  return new MigrationError(`PostgreSQL at ${where} ${what}: ${reason}`, { cause: error });
}
