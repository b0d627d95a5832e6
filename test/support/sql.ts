// Statements of a test on a connection of its own, beside those of the service.
import pg from 'pg';

/** Opens a connection, and closes it after `work`. The server may end while it is open. */
export async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
