// Once a test run: one PostgreSQL with a migrated template, from which each test file clones its
// own database, and the Redis program that each file starts for itself. Everything lies in one
// temporary folder and on ports of the run's own, so that several runs don't meet.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findRedis, type RedisBinary } from '../../src/local-stack/find-redis.ts';
import { assertNodeVersion } from '../../src/local-stack/node-version.ts';
import { startPostgres } from '../../src/local-stack/postgres.ts';
import { isAlive } from '../../src/local-stack/process-stamp.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The administrative database of the run's PostgreSQL. */
    postgresUrl: string;
    redisBinary: RedisBinary;
    /** For everything that a test writes; removed after the run. Other users may enter it. */
    temporaryFolder: string;
  }
}

/** The migrated database that `startStores` clones. */
const TEMPLATE = 'template_quiz';
const PREFIX = 'quiz-test-';

/** @returns the teardown, which vitest calls after the last test whatever the outcome. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  assertNodeVersion();
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A run that is interrupted gets no teardown; the servers end by themselves then.
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

/** A connection to the template would keep others from cloning it, so that nobody may have one. */
async function sealTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER DATABASE ${TEMPLATE} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await client.end();
}

/** Folders of runs that were killed; the folder's name says which process made it. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 });
  }
}
