// Starts a PostgreSQL server from the programs that npm has installed. Only this machine can reach it, and its data
// stay in a folder between runs.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endServer } from './leftover.ts';
import { postgresPrograms } from './postgres-binaries.ts';
import { dataPath, initialise, POSTGRES_ENV, serverUser } from './postgres-init.ts';
import { isAlive } from './process-stamp.ts';
import { type RunningServer, startServer } from './server-process.ts';

const MAX_CONNECTIONS = 300;

export interface PostgresOptions {
  /** Created when it is missing. The log of the latest run is `<dataDir>.log`. */
  dataDir: string;
  /** A free port by default. */
  port?: number | undefined;
  /** False is faster and may lose data at a power failure; tests use it. */
  durable: boolean;
}

export interface EmbeddedPostgres extends RunningServer {
  /** The address of the database `postgres`, for administration. */
  readonly url: string;
  /** @returns the address of another database of this server, which need not exist yet */
  urlOf(database: string): string;
}

/**
 * Starts PostgreSQL and waits until it accepts connections. A server that a killed launcher has left running on the
 * same data is stopped first.
 * @throws Error when it can't be started; the message has the end of its log
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const user = serverUser(dataDir);
  const programs = await postgresPrograms(user);
  await clearLeftover(dataDir);
  await initialise(programs, dataDir, user, options.durable);

  const server = await startServer(
    {
      name: 'PostgreSQL',
      command: join(programs, 'bin', 'postgres'),
      args: (port) => ['-D', dataPath(dataDir, user), '-p', `${port}`, ...settings(options.durable)],
      env: POSTGRES_ENV,
      cwd: dataDir,
      logFile: `${dataDir}.log`,
      ...(user && { user }),
      stopSignal: 'SIGINT',
      isReady(pid) {
        const [named, ready] = readPidFile(dataDir);
        return ready && named === pid;
      },
      portTaken: /Address already in use|could not create any TCP/,
      stillHeld: /pre-existing shared memory/,
    },
    options.port,
  );
  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${server.port}/${database}`;
  return { ...server, url: urlOf('postgres'), urlOf };
}

function settings(durable: boolean): string[] {
  const values = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${MAX_CONNECTIONS}`,
    'timezone=UTC',
  ];
  // Without fsync commits still reach the kernel, so that a killed server keeps them in tests too.
  if (!durable) values.push('fsync=off', 'full_page_writes=off');
  return values.flatMap((value) => ['-c', value]);
}

async function clearLeftover(dataDir: string): Promise<void> {
  const [pid] = readPidFile(dataDir);
  if (await endServer(pid, dataDir, 'SIGINT')) return;
  // Another program has this pid today. PostgreSQL would take it for a running server and refuse to start.
  if (pid !== undefined && isAlive(pid)) rmSync(join(dataDir, 'postmaster.pid'));
}

/** @returns the process that the data directory names, and whether the server is ready */
function readPidFile(dataDir: string): [pid: number | undefined, ready: boolean] {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return [undefined, false];
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const pid = Number(lines[0]);
    return [pid > 1 ? pid : undefined, lines[7]?.trim() === 'ready'];
  } catch {
    // The file was removed after `existsSync`.
    return [undefined, false];
  }
}
