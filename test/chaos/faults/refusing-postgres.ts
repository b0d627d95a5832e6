// PostgreSQL answers but refuses writes, as a standby or with a full disk; or a session locks one of its
// tables.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Stage } from '../stage.ts';
import type { Act } from './act.ts';

const TABLES = ['lobby', 'lobby_player', 'game', 'session', '"user"'];

/** Runs SQL on the server itself, bypassing the proxy. */
async function withClient({ postgres }: Stage, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

const setReadOnly = (stage: Stage, value: 'on' | 'off') =>
  withClient(stage, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
  });

export const readOnlyPostgres: Act = async (stage, fault) => {
  await setReadOnly(stage, 'on');
  await sleep(fault.lastsMs);
  await setReadOnly(stage, 'off');
};

/** Fills the disk. Writes that fit into existing pages still succeed. */
export const fullPostgres: Act = async ({ postgres: { disk } }, fault) => {
  disk?.fill();
  await sleep(fault.lastsMs);
  disk?.free();
};

export const lockTable: Act = async (stage, fault) => {
  const table = TABLES[Math.floor(fault.draw * TABLES.length)];
  await withClient(stage, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await sleep(fault.lastsMs);
    await client.query('ROLLBACK');
  });
};
