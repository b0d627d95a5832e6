// The stores accept the runbook's commands, which operators copy during an incident.
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../support/manifests.ts';
import { withPostgres } from '../support/sql.ts';
import { startOwnPostgres, useStores } from '../support/stores.ts';

const stores = useStores();

const commandsLike = (pattern: RegExp) => [...new Set(commands().filter((text) => pattern.test(text)))];

test('PostgreSQL accepts every statement of the runbook', async () => {
  const { databaseUrl, dispose } = await startOwnPostgres();
  onTestFinished(dispose);
  const statements = commandsLike(/^(SELECT|SHOW (?!POOLS)|SET|ALTER (SYSTEM|DATABASE|ROLE)) /);
  expect(statements.length).toBeGreaterThan(10);
  await withPostgres(databaseUrl, async (database) => {
    await database.query('CREATE ROLE quiz LOGIN');
    await database.query(`SELECT pg_create_physical_replication_slot('slot')`);
    for (const statement of statements) {
      const text = statement.replace('<pid>', '0').replace('<name>', 'slot');
      const reply = await database.query(text).catch((error: Error) => error.message);
      expect(reply, text).toHaveProperty('command');
    }
  });
});

test('Redis accepts every command of the runbook', async () => {
  const redis = new Redis(stores.redisUrl);
  onTestFinished(() => redis.disconnect());
  const redisCommands = commandsLike(/^(redis-cli (?!-)|CONFIG SET |REPLICAOF )/).map((text) =>
    text.replace('redis-cli ', '').split(' '),
  );
  expect(redisCommands.length).toBeGreaterThan(7);
  for (const [name = '', ...args] of redisCommands) {
    // CONFIG REWRITE needs a configuration file, which this server lacks.
    if (args[0] === 'rewrite') continue;
    const text = [name, ...args].join(' ');
    if (args.includes('<id>')) {
      // The command ends this other connection.
      const other = new Redis(stores.redisUrl, { retryStrategy: null }).on('error', () => {});
      expect(await redis.call(name, ...args.with(-1, String(await other.client('ID')))), text).toBe(1);
    } else await expect(redis.call(name, ...args), text).resolves.toBeTruthy();
  }
});
