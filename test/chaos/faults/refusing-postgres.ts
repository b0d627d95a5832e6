// A PostgreSQL that answers and refuses to write, as a standby does, or as one whose disk is full is
// set to; and one of whose tables somebody holds.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Stage } from '../stage.ts';
import type { Act } from './act.ts';

const TABLES = ['lobby', 'lobby_player', 'game', 'session', '"user"'];

/** As an operator would do it, past the proxy. */
async function withClient(
  { postgres }: Stage,
  act: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
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

export const lockTable: Act = async (stage, fault) => {
  const table = TABLES[Math.floor(fault.draw * TABLES.length)];
  await withClient(stage, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await sleep(fault.lastsMs);
    await client.query('ROLLBACK');
  });
};
