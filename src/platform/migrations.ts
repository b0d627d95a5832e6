// Applies the Prisma migrations over the plain driver, so that neither production nor a test needs
// the Prisma CLI and its native engine. The bookkeeping is Prisma's own, lock and checksums
// included: `prisma migrate status` agrees, and the two may be mixed freely.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const DEFAULT_FOLDER = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
/** The key of the advisory lock that `prisma migrate` takes too. */
const LOCK_KEY = 72_707_369;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a server may say "the database system is starting up". */
const STARTING_UP_MS = 15_000;

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

/** The migrations could not be applied; the message says which, why, and holds no password. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/**
 * Brings the database up to date, creating it first if it is missing. Each migration is one
 * transaction together with its bookkeeping, so a crash leaves it applied or untouched, never half
 * done. Any number of processes may call it at once: they take turns, and the later ones find
 * nothing to do.
 * @param databaseUrl a `postgresql://` address that names the database
 * @param folder where the migrations are, one folder each
 * @returns the names of the migrations applied by this very call, and how many there are in all
 * @throws MigrationError when the server can't be reached, an applied migration was edited, or
 *   one fails
 */
export async function applyMigrations(
  databaseUrl: string,
  folder: string = DEFAULT_FOLDER,
): Promise<{ applied: string[]; total: number }> {
  const migrations = await readMigrations(folder);
  const client = await connectOrCreate(databaseUrl);
  try {
    // A time limit of the role's would end the wait for the lock, or a long migration.
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(BOOKKEEPING);
    const done = await readApplied(client);
    const applied: string[] = [];
    for (const migration of migrations) {
      const checksum = done.get(migration.name);
      if (checksum !== undefined) refuseEdited(migration, checksum);
      else {
        await apply(client, migration);
        applied.push(migration.name);
      }
    }
    return { applied, total: migrations.length };
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
export async function pendingMigrations(
  databaseUrl: string,
  folder: string = DEFAULT_FOLDER,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const done = await readDone(parse(databaseUrl));
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

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${reason}`);
  }
}

async function connectOrCreate(databaseUrl: string): Promise<pg.Client> {
  const url = parse(databaseUrl);
  try {
    return await connect(url);
  } catch (error) {
    if (codeOf(error) !== '3D000') throw explain(error, url);
  }
  const name = decodeURIComponent(url.pathname.slice(1));
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  try {
    const admin = await connect(maintenance);
    try {
      await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    } catch (error) {
      // 42P04, 23505: another process was faster, which is as good.
      if (!['42P04', '23505'].includes(codeOf(error))) throw error;
    } finally {
      await admin.end();
    }
    return await connect(url);
  } catch (error) {
    throw explain(error, url);
  }
}

function parse(databaseUrl: string): URL {
  const url = URL.parse(databaseUrl);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new MigrationError(
      'DATABASE_URL must look like postgresql://user:password@host:5432/database.',
    );
  return url;
}

async function connect(url: URL): Promise<pg.Client> {
  const giveUpAt = Date.now() + STARTING_UP_MS;
  for (;;) {
    const client = new pg.Client({
      connectionString: url.href,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // A connection that breaks between two queries must not end the process unexplained.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      // 57P03: it is starting up.
      if (codeOf(error) !== '57P03' || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function explain(error: unknown, url: URL): MigrationError {
  const where = `${url.hostname}:${url.port || 5432}`;
  const reason = error instanceof Error && error.message ? error.message : codeOf(error);
  const refused = /^28/.test(codeOf(error));
  const what = refused ? 'refused the login' : 'could not be reached';
  return new MigrationError(`PostgreSQL at ${where} ${what}: ${reason}`, { cause: error });
}
