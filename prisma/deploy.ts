// npm run db:deploy: applies the pending migrations to DATABASE_URL, creating the database if need be.
// With `--wait` it applies none, and ends when somebody else has applied them all: so that no process
// of a new version starts before its tables are there.
import { setTimeout as sleep } from 'node:timers/promises';
import { applyMigrations, MigrationError, pendingMigrations } from '../src/platform/migrations.ts';

const LOOK_EVERY_MS = 1000;

const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl) {
  console.error('DATABASE_URL is not set: name the PostgreSQL database to migrate.');
  process.exit(1);
}
try {
  if (process.argv.includes('--wait')) await waitUntilApplied(databaseUrl);
  else await apply(databaseUrl);
} catch (error) {
  // One line for whoever is called; a stack only for a bug.
  console.error(error instanceof MigrationError ? error.message : error);
  process.exit(1);
}

async function apply(url: string): Promise<void> {
  const { applied, total } = await applyMigrations(url, undefined, {
    onWait: (name) => console.log(`Migration ${name} waits for somebody who reads its table.`),
  });
  console.log(
    applied.length === 0
      ? `Nothing to do: all ${total} migrations are applied.`
      : `Applied ${applied.length} of ${total} migrations: ${applied.join(', ')}.`,
  );
}

/** Says what it waits for whenever that changes, and goes on while the server is away. */
async function waitUntilApplied(url: string): Promise<void> {
  let said = '';
  for (;;) {
    const obstacle = await findObstacle(url);
    if (obstacle === null) break;
    if (obstacle !== said) console.log(obstacle);
    said = obstacle;
    await sleep(LOOK_EVERY_MS);
  }
  console.log('All migrations are applied.');
}

async function findObstacle(url: string): Promise<string | null> {
  try {
    const pending = await pendingMigrations(url);
    return pending.length > 0 ? `Waiting for the migrations ${pending.join(', ')}.` : null;
  } catch (error) {
    return `Waiting: ${(error as Error).message}`;
  }
}
