// The database part of a rehearsal: it dumps the production database, and restores the dump into an empty
// one. PostgreSQL's own programs do both, as in a real restore.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import { connect, explain } from '../../src/platform/postgres/migrations.ts';

/** The reason why a rehearsal failed, as a sentence for the operator; it contains no password. */
export class RehearsalError extends Error {
  override readonly name = 'RehearsalError';
}

/** The number of rows of each table, by its name. */
export type RowCounts = Map<string, number>;

/** Removes the timeouts of the service's role, which are too short for a dump's transaction. */
const NO_LIMITS = 'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0';

const TABLES = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name`;

/** Checks that PostgreSQL's programs are installed, and fit both servers. @throws RehearsalError otherwise */
export async function checkVersions(from: URL, into: URL, signal: AbortSignal): Promise<void> {
  const majorOf = async (program: string) => {
    const text = await run(program, ['--version'], { signal });
    return Number(/\(PostgreSQL\) (\d+)/.exec(text)?.[1]);
  };
  const [dump, restore] = [await majorOf('pg_dump'), await majorOf('pg_restore')];
  const [source, target] = [await serverMajor(from), await serverMajor(into)];
  if (Math.min(dump, restore) < source)
    throw new RehearsalError(
      `pg_dump is of PostgreSQL ${dump}, pg_restore of ${restore}, and the server to dump from is ` +
        `${source}: install postgresql-client-${source}, or a later one.`,
    );
  if (target < source)
    throw new RehearsalError(
      `The server to restore into is PostgreSQL ${target}, older than the ${source} of the dump: ` +
        `name one of ${source} or later.`,
    );
}

/** Dumps the database while the service writes to it. @returns the numbers of rows in the snapshot of the dump */
export async function dump(from: URL, file: string, signal: AbortSignal): Promise<RowCounts> {
  return withClient(from, async (client) => {
    await client.query(NO_LIMITS);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query('SELECT pg_export_snapshot() AS snapshot');
    const args = ['--format=custom', `--snapshot=${rows[0].snapshot}`, `--file=${file}`];
    await run('pg_dump', args, { url: from, signal });
    return countRows(client);
  });
}

/** Creates a database for the rehearsal alone. @param into any database of a server in which the role may create one */
export async function makeDatabase(into: URL) {
  const name = `rehearsal_${randomBytes(6).toString('hex')}`;
  const order = (statement: string) => withClient(into, async (client) => void (await client.query(statement)));
  await order(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(into);
  url.pathname = `/${name}`;
  return { url, drop: () => order(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Restores as the role in `to`, whatever roles the dump contains. */
export async function restore(file: string, to: URL, signal: AbortSignal): Promise<RowCounts> {
  const args = ['--exit-on-error', '--no-owner', '--no-privileges', file];
  await run('pg_restore', args, { url: to, signal });
  return withClient(to, async (client) => {
    await client.query(NO_LIMITS);
    return countRows(client);
  });
}

/** @throws RehearsalError that names the tables that differ */
export function compareRows(dumped: RowCounts, restored: RowCounts): void {
  const names = [...new Set([...dumped.keys(), ...restored.keys()])];
  const different = names.filter((name) => dumped.get(name) !== restored.get(name));
  if (different.length === 0) return;
  const said = different.map(
    (name) => `${name} (${dumped.get(name) ?? 'missing'}, ${restored.get(name) ?? 'missing'})`,
  );
  throw new RehearsalError(`Rows differ, dumped and restored: ${said.join(', ')}.`);
}

async function countRows(client: pg.Client): Promise<RowCounts> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  const counts: RowCounts = new Map();
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT count(*) AS count FROM ${name}`);
    counts.set(name, Number(rows[0].count));
  }
  return counts;
}

async function serverMajor(url: URL): Promise<number> {
  const { rows } = await withClient(url, (client) => client.query('SHOW server_version_num'));
  return Math.floor(Number(rows[0].server_version_num) / 10_000);
}

async function withClient<T>(url: URL, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url).catch((error) => {
    throw new RehearsalError(explain(error, url).message, { cause: error });
  });
  try {
    return await use(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const database = `${url.hostname}:${url.port || 5432}${url.pathname}`;
    throw new RehearsalError(`PostgreSQL at ${database}: ${error.message}.`, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Runs one of PostgreSQL's programs. The database's password is passed by the environment, which other users of this
 * machine can't read.
 * @returns its output
 */
async function run(program: string, args: string[], { url, signal }: { url?: URL; signal: AbortSignal }) {
  const open = url && new URL(url);
  if (open) open.password = '';
  const PGPASSWORD = url?.password && decodeURIComponent(url.password);
  try {
    const { stdout } = await promisify(execFile)(program, open ? [`--dbname=${open.href}`, ...args] : args, {
      signal,
      env: { ...process.env, LC_ALL: 'C', ...(PGPASSWORD && { PGPASSWORD }) },
    });
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string };
    const [line = ''] = stderr.split('\n').filter(Boolean);
    throw new RehearsalError(
      code === 'ENOENT'
        ? `${program} is not on PATH: install PostgreSQL's client programs (postgresql-client).`
        : `${program} failed: ${line.replace(`${program}: `, '') || (error as Error).message}`,
      { cause: error },
    );
  }
}
