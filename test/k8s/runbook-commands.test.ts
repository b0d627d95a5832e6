// The stores accept the runbook's commands, which operators copy during an incident.
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../support/manifests.ts';
import { type OwnPostgres, startOwnPostgres, useStores } from '../support/stores.ts';

const stores = useStores();
let postgres: OwnPostgres;
let database: pg.Client;
let redis: Redis;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  database = new pg.Client({ connectionString: postgres.databaseUrl });
  await database.connect();
  redis = new Redis(stores.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await database.end();
  await postgres.dispose();
});

const commandsLike = (pattern: RegExp) => [...new Set(commands().filter((text) => pattern.test(text)))];

test('PostgreSQL accepts every statement of the runbook', async () => {
  await database.query('CREATE ROLE quiz LOGIN');
  await database.query(`SELECT pg_create_physical_replication_slot('slot')`);
  const statements = commandsLike(/^(SELECT|SHOW (?!POOLS)|SET|ALTER (SYSTEM|DATABASE|ROLE)) /);
  expect(statements.length).toBeGreaterThan(10);
  for (const statement of statements) {
    const text = statement.replace('<pid>', '0').replace('<name>', 'slot');
    const reply = await database.query(text).catch((error: Error) => error.message);
    expect(reply, text).toHaveProperty('command');
  }
});

test('Redis accepts every command of the runbook', async () => {
  const redisCommands = commandsLike(/^(redis-cli (?!-)|CONFIG SET |REPLICAOF )/).map((text) =>
    text.replace('redis-cli ', '').split(' '),
  );
  expect(redisCommands.length).toBeGreaterThan(7);
  for (const [name = '', ...args] of redisCommands) {
    // CONFIG REWRITE needs a configuration file, which this server lacks.
    if (args[0] === 'rewrite') continue;
    const text = [name, ...args].join(' ');
    if (args.includes('<id>')) expect(await killOther(name, ...args), text).toBe(1);
    else await expect(redis.call(name, ...args), text).resolves.toBeTruthy();
  }
});

/** Runs the command on another connection. @returns the number of connections that it ended */
async function killOther(name: string, ...args: string[]): Promise<unknown> {
  const other = new Redis(stores.redisUrl, { retryStrategy: null });
  other.on('error', () => {});
  return redis.call(name, ...args.with(-1, String(await other.client('ID'))));
}
