// A PostgreSQL of one test file's own, for tests that stop, pause or kill it; half a second to
// start. All others share one server, see stores.ts.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { signalIfAlive } from '../../src/local-stack/leftover.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/local-stack/postgres.ts';
import { parentOf } from '../../src/local-stack/process-stamp.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import type { ServerControls } from './own-redis.ts';

export interface OwnPostgres extends ServerControls {
  /** A migrated database. */
  readonly databaseUrl: string;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

/**
 * Starts one and migrates a database `quiz` in it. What is written is kept until `dispose`.
 * @param parent where its data may lie; a test run provides a folder
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
    // Killed, it leaves a piece of shared memory that only a proper end gives back.
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

/** Each connection has a process of its own, so that pausing the first one alone pauses none. */
function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}
