// Opens the importer's own connection to PostgreSQL. Its statements have no time limit, and an advisory lock
// lets one import at a time write.
import pg from 'pg';
import { explain } from './import-error.ts';

const CONNECT_TIMEOUT_MS = 5000;
/** The key of the advisory lock that each writing transaction of an import holds. */
const LOCK_KEY = 72_707_370;

/**
 * @param use gets the connection, which is closed afterwards
 * @throws ImportError when the database can't be reached or has no tables yet
 */
export async function withConnection<T>(databaseUrl: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks fails the query that runs; it must not end the process unexplained.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => undefined);
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
