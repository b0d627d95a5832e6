// Starts and inspects the servers of the local stack in its tests.
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { inject } from 'vitest';

/** Makes a folder that the servers' user can enter. */
export function newFolder(): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'local-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Runs one statement on a connection of its own. @returns the rows */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** @returns a client that reconnects at once and fails commands while it is disconnected */
export function redisClient(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  return client;
}
