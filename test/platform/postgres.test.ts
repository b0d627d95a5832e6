// The service's connections to PostgreSQL: the pool lends none on which a transaction may still be open, a shutdown ends
// its queries alone, and the statements have names.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { isOutage } from '../../src/platform/outages/outage.ts';
import { connectPostgres, createStatementNames, type Database } from '../../src/platform/postgres/postgres.ts';
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

/** ReadyForQuery outside of a transaction, the last message of a connection's start. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const FIELDS = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';

function shutdownError(): Buffer {
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(FIELDS.length + 4, 1);
  return Buffer.concat([head, Buffer.from(FIELDS, 'latin1')]);
}

it('a shutdown error that arrives together with ReadyForQuery is an outage and does not end the process', async () => {
  const { proxy, url } = await startProxyOf(stores.databaseUrl, (reply) =>
    reply.includes(READY) ? Buffer.concat([reply, shutdownError()]) : reply,
  );
  const { db } = connectToPostgres(url, 1);
  onTestFinished(async () => {
    await db.$disconnect();
    await proxy.stop();
  });
  for (const begin of [() => db.$queryRaw`SELECT 1`, () => db.$transaction([db.user.count()])])
    expect(isOutage(await begin().catch((error: unknown) => error))).toBe(true);
});

it('a statement always has the same name, and no other statement has it', () => {
  const nameOf = createStatementNames();
  const [one, other] = [nameOf({ sql: 'SELECT 1' }), nameOf({ sql: 'SELECT 2' })];
  expect(one).toMatch(/^\w{1,63}$/);
  expect(other).not.toBe(one);
  expect(nameOf({ sql: 'SELECT 1' })).toBe(one);
});

it('a statement whose text depends on the length of a list gets no name', () => {
  const nameOf = createStatementNames();
  const lengths = Array.from({ length: 150 }, (_, at) => at + 2);
  // A prepared statement is useful only if the statement is repeated.
  for (const length of [...lengths, ...lengths, ...lengths, ...lengths]) {
    const placeholders = Array.from({ length }, (_, at) => `$${at + 1}`);
    expect(nameOf({ sql: `SELECT "name" FROM "user" WHERE "id" IN (${placeholders})` })).toBe('');
    const rows = placeholders.map((placeholder) => `(${placeholder})`).join(', ');
    expect(nameOf({ sql: `INSERT INTO "term" ("text") VALUES ${rows}` })).toBe('');
  }
  expect(nameOf({ sql: 'SELECT "name" FROM "user" WHERE "id" = $1' })).not.toBe('');
});

it('the number of named statements is limited', () => {
  const nameOf = createStatementNames();
  const named = Array.from({ length: 5000 }, (_, at) => nameOf({ sql: `SELECT ${at}` }));
  expect(new Set(named.filter((name) => name !== '')).size).toBe(300);
});
