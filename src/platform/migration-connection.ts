// The connection that migrations are applied over: it waits for a server that starts, makes the database
// if it is missing, and says in a sentence why it can't be had.
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
/** How long a server may say "the database system is starting up". */
const STARTING_UP_MS = 15_000;

/** The migrations could not be applied; the message says which, why, and holds no password. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

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

export function parseDatabaseUrl(databaseUrl: string): URL {
  const url = URL.parse(databaseUrl);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new MigrationError(
      'DATABASE_URL must look like postgresql://user:password@host:5432/database.',
    );
  return url;
}

export async function connect(url: URL): Promise<pg.Client> {
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

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function explain(error: unknown, url: URL): MigrationError {
  const where = `${url.hostname}:${url.port || 5432}`;
  const reason = error instanceof Error && error.message ? error.message : codeOf(error);
  const refused = /^28/.test(codeOf(error));
  const what = refused ? 'refused the login' : 'could not be reached';
  return new MigrationError(`PostgreSQL at ${where} ${what}: ${reason}`, { cause: error });
}
