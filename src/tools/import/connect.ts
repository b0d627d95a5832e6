// The connection of an import to PostgreSQL, whose statements have no time limit, and the errors for the operator. An
// advisory lock lets one import at a time write.
import type pg from 'pg';
import { isOutage, raisedBy } from '../../platform/outages/outage.ts';
import { codeOf, connect, parseDatabaseUrl } from '../../platform/postgres/migrations.ts';

export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** SQLSTATEs of a missing database, table and column: the migrations haven't run. */
const NOT_READY = ['3D000', '42P01', '42703'];

/**
 * @param error what the use of the connection to PostgreSQL has thrown
 * @returns an ImportError if PostgreSQL can't be reached or isn't migrated; otherwise `error`
 */
function explain(error: unknown): unknown {
  const code = codeOf(error);
  if (NOT_READY.includes(code)) return new ImportError('The database has no tables yet: run npm run db:deploy first.');
  if (code.startsWith('28')) return new ImportError('PostgreSQL refused the login.');
  if (isOutage(raisedBy('postgres', error)))
    return new ImportError(
      'PostgreSQL could not be reached, or the connection broke: nothing was imported. Run the command again.',
    );
  return error;
}

/** The key of the advisory lock that each writing transaction of an import holds. */
const LOCK_KEY = 72_707_370;

/**
 * @param use gets the connection, which is closed afterwards
 * @throws ImportError when the database can't be reached or has no tables yet
 */
export async function withConnection<T>(databaseUrl: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  let client: pg.Client | undefined;
  try {
    client = await connect(parseDatabaseUrl(databaseUrl));
    return await use(client);
  } catch (error) {
    throw explain(error);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/**
 * Begins a transaction that writes terms.
 * @param onWait is called when this transaction has to wait for another import
 */
export async function begin(client: pg.Client, onWait?: () => void): Promise<void> {
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [LOCK_KEY]);
  if (rows[0]?.mine) return;
  onWait?.();
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
}
