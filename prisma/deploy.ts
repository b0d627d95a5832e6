// npm run db:deploy: applies the pending migrations to DATABASE_URL, and creates the database if it is
// missing. With `--wait` it applies none, and ends when all are applied, so that no process of a new version
// starts before its tables exist.
import { setTimeout as sleep } from 'node:timers/promises';
import { applyMigrations, MigrationError, pendingMigrations } from '../src/platform/postgres/migrations.ts';
import { asksForHelp } from '../src/tools/command.ts';

const POLL_INTERVAL_MS = 1000;

const USAGE = `Usage: npm run db:deploy [-- --wait]
    Applies the pending migrations to DATABASE_URL, and creates the database if it is missing.
    --wait applies none: it ends when all are applied.`;

if (asksForHelp(process.argv.slice(2))) {
  console.log(USAGE);
  process.exit(0);
}
const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl) {
  console.error('DATABASE_URL is not set: name the PostgreSQL database to migrate.');
  process.exit(1);
}
try {
  if (process.argv.includes('--wait')) await waitUntilApplied(databaseUrl);
  else await apply(databaseUrl);
} catch (error) {
  // The message is enough for the operator; only a bug needs a stack.
  console.error(error instanceof MigrationError ? error.message : error);
  process.exit(1);
}

async function apply(url: string): Promise<void> {
  const { applied, total } = await applyMigrations(url, undefined, {
    onWait: (name) => console.log(`Migration ${name} waits for another session that uses its table.`),
  });
  console.log(
    applied.length === 0
      ? `Nothing to do: all ${total} migrations are applied.`
      : `Applied ${applied.length} of ${total} migrations: ${applied.join(', ')}.`,
  );
}

/** Waits also while PostgreSQL is away, and logs the reason for waiting whenever it changes. */
async function waitUntilApplied(url: string): Promise<void> {
  let logged = '';
  for (;;) {
    const obstacle = await findObstacle(url);
    if (obstacle === null) break;
    if (obstacle !== logged) console.log(obstacle);
    logged = obstacle;
    await sleep(POLL_INTERVAL_MS);
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
