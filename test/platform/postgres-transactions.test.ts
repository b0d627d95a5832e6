// The pool must not reuse a connection on which a transaction may still be open: later writes on it would be
// acknowledged and never committed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPostgres, type Database } from '../../src/platform/postgres/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { connectToPostgres, useStores } from '../support/stores.ts';
import { startProxyOf, type TcpProxy } from '../support/tcp-proxy.ts';

const stores = useStores();
let network: TcpProxy;
/** A connection that bypasses the proxy. */
let direct: Database;
let db: Database;
beforeAll(async () => {
  const { proxy, url } = await startProxyOf(stores.databaseUrl);
  network = proxy;
  direct = connectToPostgres(stores.databaseUrl, 1).db;
  // Its statements may last longer than the one that the test must see under way.
  db = connectPostgres(url, 1, { timeoutMs: 3000 }).db;
  await direct.$executeRaw`CREATE TABLE note (text text)`;
});
afterAll(async () => {
  await db.$disconnect();
  await direct.$disconnect();
  await network.stop();
});

it('[contract 5.7] an acknowledged write is stored, also after a transaction whose network was stalled', async () => {
  const transaction = db.$transaction([
    db.$executeRaw`INSERT INTO note VALUES ('abandoned')`,
    db.$queryRaw`SELECT pg_sleep(3)::text`,
  ]);
  const outcome = transaction.catch(() => 'abandoned');
  await eventually(async () => {
    const rows = await direct.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
    expect(rows).toHaveLength(1);
  });
  network.stall();
  expect(await outcome).toBe('abandoned');
  network.unstall();
  await eventually(() => db.$executeRaw`INSERT INTO note VALUES ('acknowledged')`);
  await db.$disconnect();
  const notes = await direct.$queryRaw<{ text: string }[]>`SELECT DISTINCT text FROM note`;
  expect(notes).toEqual([{ text: 'acknowledged' }]);
});
