// A lock on a table blocks all statements, while PostgreSQL still answers. The server must cancel a statement
// before the client gives up, or the backend of each abandoned request goes on waiting. [contract 7]
import type pg from 'pg';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { readMetrics } from '../support/metrics.ts';
import { SHORT_OUTAGES, useService } from '../support/service.ts';
import { connectForTest } from '../support/sql.ts';
import { createPerson } from '../support/users.ts';

const POOL_MAX = 5;
const CLIENTS = 12;

const { service, stores } = useService({ ...SHORT_OUTAGES, DATABASE_POOL_MAX: `${POOL_MAX}` });

async function backends(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'test'`,
  );
  return rows[0]?.count ?? 0;
}

async function gaugedConnections(): Promise<number> {
  const metrics = await readMetrics();
  const count = (state: string) => metrics[`quiz_postgres_connections{state="${state}"}`] ?? 0;
  return count('used') + count('idle');
}

test('requests that need a locked table are 503, and PostgreSQL never has more backends than the pool has connections', async () => {
  const { client } = await createPerson(service);
  const holder = await connectForTest(stores.databaseUrl, { application_name: 'test' });
  // It is outside of the transaction, within which PostgreSQL's statistics would not change.
  const observer = await connectForTest(stores.databaseUrl, { application_name: 'test' });
  await holder.query('BEGIN; LOCK TABLE lobby');
  const statuses = new Map<number, number>();
  const counts: number[] = [];
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      const { status } = await client.get('/api/v1/lobbies/7KQ2ZD');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const asking = Array.from({ length: CLIENTS }, ask);
  try {
    // PostgreSQL has then cancelled several statements of each connection.
    await eventually(async () => {
      counts.push(await backends(observer));
      expect(statuses.get(503) ?? 0).toBeGreaterThanOrEqual(2 * CLIENTS);
    });
    // The gauge and PostgreSQL agree, so that a dashboard shows who uses the connections.
    await eventually(async () => expect(await gaugedConnections()).toBe(await backends(observer)));
  } finally {
    isOver = true;
    await holder.query('ROLLBACK');
    await Promise.all(asking);
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(POOL_MAX);
  expect([...statuses.keys()].filter((status) => status !== 503 && status !== 404)).toEqual([]);
  expect((await client.get('/api/v1/lobbies/7KQ2ZD')).status).toBe(404);
});

test('a statement that PostgreSQL refuses keeps its connection', async () => {
  const { db } = service.services;
  const backendPid = async () => (await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`)[0]?.pid;
  const before = await backendPid();
  await expect(db.$queryRaw`SELECT 1 / 0`).rejects.toThrow();
  expect(await backendPid()).toBe(before);
});

test('PostgreSQL’s timeouts are shorter than the client’s', async () => {
  const { db } = service.services;
  const limits = await db.$queryRaw<{ name: string; setting: string }[]>`
    SELECT name, setting FROM pg_settings
     WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`;
  expect(limits).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '4000' },
    { name: 'statement_timeout', setting: '1300' },
  ]);
});
