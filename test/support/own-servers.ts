// A Redis and a PostgreSQL server for one test file, whose tests can stop, pause and kill them.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { applyMigrations } from '../../src/platform/postgres/migrations.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/tools/dev/postgres.ts';
import { type EmbeddedRedis, type RedisOptions, startRedis } from '../../src/tools/dev/redis.ts';

/** Controls of a server. The server keeps its port and its data. */
export interface ServerControls {
  /** Stops the server orderly. */
  stop(): Promise<void>;
  /** Restarts the server after `stop` or `kill`. */
  start(): Promise<void>;
  /** Sends SIGKILL, as the kernel does when memory runs out. */
  kill(): Promise<void>;
  /** Stops the process by SIGSTOP: its connections stay open, and it answers nothing. */
  pause(): void;
  resume(): void;
}

export interface OwnRedis extends ServerControls {
  readonly url: string;
  /** Changes the settings of its next start. */
  configure(settings: NonNullable<RedisOptions['settings']>): void;
  /** Stops the server and removes its data. */
  dispose(): Promise<void>;
}

/** Where a server's data and program are; a test run provides defaults for both. */
export interface ServerLocation {
  /** The folder for its data. */
  folder?: string;
  binary?: RedisOptions['binary'];
}

/**
 * Starts a server, in about 15 ms. Its data survives until `dispose`, even if the server is killed.
 * @param options.settings additional settings of Redis
 * @param options.port by default a free port
 */
export async function startOwnRedis({
  folder = inject('temporaryFolder'),
  binary = inject('redisBinary'),
  settings = {},
  port: wanted,
}: ServerLocation & Pick<RedisOptions, 'settings' | 'port'> = {}): Promise<OwnRedis> {
  const dataDir = mkdtempSync(join(folder, 'redis-'));
  const common = { dataDir, binary, persist: true, settings: { ...settings } };
  let server: EmbeddedRedis = await startRedis({ ...common, ...(wanted && { port: wanted }) });
  const { port, url } = server;
  return {
    url,
    configure: (changes) => void Object.assign(common.settings, changes),
    stop: () => server.stop(),
    async start() {
      await server.stop();
      server = await startRedis({ ...common, port });
    },
    async kill() {
      server.signal('SIGKILL');
      await server.exited;
    },
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async dispose() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

// A PostgreSQL server for one test file, whose tests stop, pause or kill it. It starts in half a second. All
// other files share one server; see stores.ts.

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

/** Sends a signal, and ignores that the process has ended meanwhile. */
function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
