// A connection on which a transaction may still be open is used by nobody else: what the next one wrote
// there would be acknowledged, and never be committed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPostgres, type Database } from '../../src/platform/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let stores: TestStores;
let network: TcpProxy;
/** Past the network that fails. */
let direct: Database;
let db: Database;
beforeAll(async () => {
  stores = await startStores();
  const url = new URL(stores.databaseUrl);
  network = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  direct = connectPostgres(url.href, 1);
  url.port = String(network.port);
  db = connectPostgres(url.href, 1);
  await direct.$executeRaw`CREATE TABLE note (text text)`;
});
afterAll(async () => {
  await db.$disconnect();
  await direct.$disconnect();
  await network.stop();
  await stores.stop();
});

it('[contract 5.7] what is acknowledged is stored, also after a transaction whose network was held', async () => {
  const transaction = db.$transaction([
    db.$executeRaw`INSERT INTO note VALUES ('given up')`,
    db.$queryRaw`SELECT pg_sleep(0.3)::text`,
  ]);
  const outcome = transaction.catch(() => 'given up');
  await eventually(async () => {
    const rows = await direct.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
    expect(rows).toHaveLength(1);
  });
  network.stall();
  expect(await outcome).toBe('given up');
  network.unstall();
  await eventually(() => db.$executeRaw`INSERT INTO note VALUES ('acknowledged')`);
  await db.$disconnect();
  const notes = await direct.$queryRaw<{ text: string }[]>`SELECT DISTINCT text FROM note`;
  expect(notes).toEqual([{ text: 'acknowledged' }]);
});
