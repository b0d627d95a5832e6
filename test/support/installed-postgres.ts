// The PostgreSQL that this machine's packages bring, for tests that need its other programs too: those
// of npm are a server alone.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local-stack/ports.ts';
import { POSTGRES_ENV, serverUser } from '../../src/local-stack/postgres-init.ts';
import { spawnServer } from '../../src/local-stack/server-process.ts';
import { connect } from '../../src/platform/migration-connection.ts';
import { eventually } from './eventually.ts';

export interface InstalledPostgres {
  /** @returns the address of one of its databases, as its superuser */
  urlOf(database: string): URL;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Starts one with `initdb` and `postgres` of PATH. */
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
    ...{ command: 'postgres', args, env, cwd: dataDir },
    ...(user && { user }),
    logFile: join(folder, 'log'),
    stopSignal: 'SIGINT',
  });
  const urlOf = (database: string) =>
    new URL(`postgresql://postgres@127.0.0.1:${port}/${database}`);
  await eventually(async () => (await connect(urlOf('postgres'))).end());
  return {
    urlOf,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
