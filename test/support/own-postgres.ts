// A PostgreSQL server for one test file, whose tests stop, pause or kill it. It starts in half a second. All
// other files share one server; see stores.ts.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { applyMigrations } from '../../src/platform/postgres/migrations.ts';
import { signalIfAlive } from '../../src/tools/dev/leftover.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/tools/dev/postgres.ts';
import type { ServerControls } from './own-redis.ts';

export interface OwnPostgres extends ServerControls {
  /** The address of a migrated database. */
  readonly databaseUrl: string;
  /** Stops the server and removes its data. */
  dispose(): Promise<void>;
}

/**
 * Starts a server and migrates a database `quiz` in it. The data survives until `dispose`.
 * @param parent the folder for its data; by default that of the test run
 */
export async function startOwnPostgres(parent = inject('temporaryFolder')): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(parent, 'postgres-'));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  let server: EmbeddedPostgres = await startPostgres({ dataDir, durable: false });
  const { port } = server;
  const databaseUrl = server.urlOf('quiz');
  let killed = false;

  const controls: ServerControls = {
    stop: () => server.stop(),
    async start() {
      await server.stop();
      server = await startPostgres({ dataDir, port, durable: false });
      killed = false;
    },
    async kill() {
      server.signal('SIGKILL');
      await server.exited;
      killed = true;
    },
    pause() {
      server.signal('SIGSTOP');
      for (const pid of childrenOf(server.pid)) signalIfAlive(pid, 'SIGSTOP');
    },
    resume() {
      for (const pid of childrenOf(server.pid)) signalIfAlive(pid, 'SIGCONT');
      server.signal('SIGCONT');
    },
  };

  async function dispose(): Promise<void> {
    controls.resume();
    // A killed server leaves a segment of shared memory, which only an orderly stop releases.
    if (killed) await controls.start();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  try {
    await applyMigrations(databaseUrl);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { databaseUrl, ...controls, dispose };
}

/** @returns the child processes; PostgreSQL has one per connection, each of which has to be paused */
function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

/** @returns the parent of a process, which /proc names as the second field after its name; undefined if it has ended */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
