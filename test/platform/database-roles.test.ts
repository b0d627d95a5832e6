// One role owns the tables and migrates; another one runs the service and can change no table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { applyMigrations, pendingMigrations } from '../../src/platform/postgres/migrations.ts';
import { startService } from '../support/service.ts';
import { withPostgres } from '../support/sql.ts';
import { type OwnPostgres, startOwnPostgres, useStores } from '../support/stores.ts';
import { createPerson } from '../support/users.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';

const ROLES = readFileSync(join(import.meta.dirname, '../../k8s/components/stores/roles.sql'), 'utf8');

const stores = useStores();
let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  await query(urlOf('postgres'), `CREATE ROLE quiz_owner LOGIN PASSWORD 'quiz'`);
});
afterAll(() => postgres.dispose());

/** @returns the address of a database for a role, by default the superuser */
function urlOf(database: string, role?: string): string {
  const url = new URL(postgres.databaseUrl);
  url.pathname = `/${database}`;
  if (role) Object.assign(url, { username: role, password: 'quiz' });
  return url.href;
}

const query = (url: string, sql: string) => withPostgres(url, async (client) => (await client.query(sql)).rows);

test('the service works as a role that can change no table', async () => {
  await query(urlOf('postgres'), 'CREATE DATABASE owned OWNER quiz_owner');
  await query(urlOf('owned'), ROLES);
  await applyMigrations(urlOf('owned', 'quiz_owner'));
  await loadTestVocabulary(urlOf('owned', 'quiz_owner'));

  const databaseUrl = urlOf('owned', 'quiz');
  expect(await pendingMigrations(databaseUrl)).toEqual([]);
  const service = await startService({ databaseUrl, redisUrl: stores.redisUrl });
  onTestFinished(() => service.stop());
  const { client } = await createPerson(service);
  expect((await client.get('/api/health')).status).toBe(200);
  for (const path of ['/api/v1/lobbies', '/api/v1/game/start']) expect((await client.post(path)).status).toBe(201);
  for (const statement of ['DROP TABLE lobby', 'ALTER TABLE lobby ADD x int', 'CREATE TABLE x ()'])
    await expect(query(databaseUrl, statement)).rejects.toThrow(/must be owner|permission denied/);
});

test('a connection that PgBouncer opens for the service’s role has its statement timeout', async () => {
  const shown = await query(urlOf('owned', 'quiz'), 'SHOW statement_timeout');
  expect(shown).toEqual([{ statement_timeout: '1300ms' }]);
});

test('migrations as the service’s role are refused in one line', async () => {
  await query(urlOf('postgres'), 'CREATE DATABASE unowned OWNER quiz_owner');
  await expect(applyMigrations(urlOf('unowned', 'quiz'))).rejects.toThrow(/^Migrations not applied: permission denied/);
});
