// The importer's own connection: its statements may take as long as they need, and one import at a time
// writes.
import pg from 'pg';
import { explain } from './import-error.ts';

const CONNECT_TIMEOUT_MS = 5000;
/** The key of the advisory lock under which one transaction of an import at a time runs. */
const LOCK_KEY = 72_707_370;

/**
 * @param use gets the connection
 * @throws ImportError when the database can't be reached or isn't ready
 */
export async function withConnection<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
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
 * @param onWait told when another import is under way, which this one waits for
 */
export async function begin(client: pg.Client, onWait?: () => void): Promise<void> {
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  const { rows } = await client.query<{ mine: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS mine',
    [LOCK_KEY],
  );
  if (rows[0]?.mine) return;
  onWait?.();
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
}
