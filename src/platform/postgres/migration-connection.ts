// Opens the connection that migrations are applied over. It waits for a server that is starting up, creates a
// missing database, and explains a failure in one sentence, since an operator reads it in the output of a command.
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
/** Attempts to connect end after this many ms while the server answers "the database system is starting up". */
const STARTING_UP_MS = 15_000;

/** Migrations could not be applied. The message names the migration and the reason, and contains no password. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * @returns a connection to the database, which is created when it does not exist
 * @throws MigrationError when the server can't be reached or refuses the login
 */
export async function connectOrCreate(databaseUrl: string): Promise<pg.Client> {
  const url = parseDatabaseUrl(databaseUrl);
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
      // 42P04 duplicate_database, 23505 unique_violation: another process has created it meanwhile.
      if (!['42P04', '23505'].includes(codeOf(error))) throw error;
    } finally {
      await admin.end();
    }
    return await connect(url);
  } catch (error) {
    throw explain(error, url);
  }
}

/** @throws MigrationError unless the address is a `postgresql://` URL with the name of a database */
export function parseDatabaseUrl(databaseUrl: string): URL {
  const url = URL.parse(databaseUrl);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new MigrationError('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
  return url;
}

/**
 * Connects, and tries again while the server is starting up.
 * @throws Error of the driver
 */
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
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @returns the SQLSTATE or the system's error code; '' for any other error */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** @returns the failure to connect as a sentence with the server's address and without the password */
export function explain(error: unknown, url: URL): MigrationError {
  const where = `${url.hostname}:${url.port || 5432}`;
  const reason = error instanceof Error && error.message ? error.message : codeOf(error);
  const refused = /^28/.test(codeOf(error));
  const what = refused ? 'refused the login' : 'could not be reached';
  return new MigrationError(`PostgreSQL at ${where} ${what}: ${reason}`, { cause: error });
}
