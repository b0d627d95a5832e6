// Runs once per test run: starts a PostgreSQL with a migrated template, which each test file clones, and
// finds the Redis program, which each file starts. Data is in one temporary folder and ports are free ones,
// so that concurrent runs are independent.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { applyMigrations } from '../../src/platform/postgres/migrations.ts';
import { findRedis, type RedisBinary } from '../../src/tools/dev/find-redis.ts';
import { isAlive } from '../../src/tools/dev/leftover.ts';
import { startPostgres } from '../../src/tools/dev/postgres.ts';
import { withPostgres } from './sql.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The administrative database of the run's PostgreSQL. */
    postgresUrl: string;
    redisBinary: RedisBinary;
    /** The folder for everything that tests write, which is removed after the run. Other users may enter it. */
    temporaryFolder: string;
  }
}

/** The migrated database that `startStores` clones. */
const TEMPLATE = 'template_quiz';
const PREFIX = 'quiz-test-';

/** @returns the teardown, which vitest calls after the last test, whatever the outcome */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another user if root runs the tests, and that user has to enter the folder.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // An interrupted run has no teardown; its servers stop when their parent process has ended.
  process.once('exit', remove);

  try {
    const redisBinary = await findRedis();
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    await applyMigrations(postgres.urlOf(TEMPLATE)).catch(async (error) => {
      await postgres.stop();
      throw error;
    });
    await sealTemplate(postgres.url);
    project.provide('postgresUrl', postgres.url);
    project.provide('redisBinary', redisBinary);
    project.provide('temporaryFolder', folder);
    return async () => {
      await postgres.stop();
      remove();
      process.off('exit', remove);
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Makes the database a template without connections, since a connection would prevent others from cloning it. */
async function sealTemplate(url: string): Promise<void> {
  const seal = `ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`;
  await withPostgres(url, (client) => client.query(seal));
}

/** Removes the folders of runs that were killed. A folder's name has the process id of its run. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 });
  }
}
