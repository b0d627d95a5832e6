// Statements of a test on a connection of its own, beside those of the service, and triggers that interfere with these.
import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/platform/postgres/postgres.ts';

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

/** Runs `work` while a trigger has this function for each row. @param when such as `BEFORE DELETE ON session` */
export async function withTrigger<T>(
  db: Database,
  { when, body }: { when: string; body: string },
  work: () => Promise<T>,
): Promise<T> {
  await db.$executeRawUnsafe(`CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`);
  try {
    await db.$executeRawUnsafe(`CREATE TRIGGER interfere ${when} FOR EACH ROW EXECUTE FUNCTION interfere()`);
    return await work();
  } finally {
    await db.$executeRawUnsafe('DROP FUNCTION interfere CASCADE');
  }
}

/** @returns a connection that lasts until the test ends */
export async function connectForTest(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...options });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
