// Runs the machine's installed PostgreSQL, for tests that also need its client programs: the npm package
// contains the server only.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/platform/postgres/migrations.ts';
import { spawnServer } from '../../src/tools/dev/managed-process.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { POSTGRES_ENV, serverUser } from '../../src/tools/dev/postgres.ts';
import { eventually } from './eventually.ts';

export interface InstalledPostgres {
  /** @returns the address of a database for the superuser */
  urlOf(database: string): URL;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** Starts a server with `initdb` and `postgres` from PATH. */
export async function startInstalledPostgres(): Promise<InstalledPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-installed-postgres-'));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const user = serverUser(dataDir);
  mkdirSync(dataDir, { mode: 0o700 });
  if (user) chownSync(dataDir, user.uid, user.gid);
  const env = POSTGRES_ENV;
  const options = { cwd: dataDir, env, ...user };
  execFileSync('initdb', ['-D', dataDir, '-U', 'postgres', '--auth=trust', '-E', 'UTF8'], options);
  const port = await freePort();
  const args = ['-D', dataDir, '-p', `${port}`, '-k', dataDir, '-c', 'fsync=off'];
  const server = await spawnServer({
    command: 'postgres',
    args,
    env,
    cwd: dataDir,
    ...(user && { user }),
    logFile: join(folder, 'log'),
    stopSignal: 'SIGINT',
  });
  const urlOf = (database: string) => new URL(`postgresql://postgres@127.0.0.1:${port}/${database}`);
  await eventually(async () => (await connect(urlOf('postgres'))).end());
  return {
    urlOf,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
