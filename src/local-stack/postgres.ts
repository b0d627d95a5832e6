// A real PostgreSQL of this project's own: started from the programs that npm installed, reachable
// from this machine alone, its data in a folder that outlives it.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endServer } from './leftover.ts';
import { postgresPrograms } from './postgres-binaries.ts';
import { dataPath, initialise, POSTGRES_ENV, serverUser } from './postgres-init.ts';
import { isAlive } from './process-stamp.ts';
import { type RunningServer, startServer } from './server-process.ts';

const MAX_CONNECTIONS = 300;

export interface PostgresOptions {
  /** Made when missing; `<dataDir>.log` beside it holds the log of the latest run. */
  dataDir: string;
  /** A free one by default. */
  port?: number | undefined;
  /** False trades safety against power loss for speed: for tests. */
  durable: boolean;
}

export interface EmbeddedPostgres extends RunningServer {
  /** The `postgres` database, to administrate. */
  readonly url: string;
  /** @returns the address of another database of this server; it need not exist yet. */
  urlOf(database: string): string;
}

/**
 * Starts PostgreSQL and waits until it accepts connections. A server that a killed launcher left
 * on the same data is stopped first.
 * @throws Error when it can't be started; the message holds its last words
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
      args: (port) => [
        '-D',
        dataPath(dataDir, user),
        '-p',
        `${port}`,
        ...settings(options.durable),
      ],
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
  // Commits still reach the kernel: a server that is killed keeps them, in tests too.
  if (!durable) values.push('fsync=off', 'full_page_writes=off');
  return values.flatMap((value) => ['-c', value]);
}

async function clearLeftover(dataDir: string): Promise<void> {
  const [pid] = readPidFile(dataDir);
  if (await endServer(pid, dataDir, 'SIGINT')) return;
  // Whoever has this number today is not PostgreSQL, which would refuse to start all the same.
  if (pid !== undefined && isAlive(pid)) rmSync(join(dataDir, 'postmaster.pid'));
}

/** @returns the process that the data directory names, and whether it says it is ready. */
function readPidFile(dataDir: string): [pid: number | undefined, ready: boolean] {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return [undefined, false];
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const pid = Number(lines[0]);
    return [pid > 1 ? pid : undefined, lines[7]?.trim() === 'ready'];
  } catch {
    // Removed between the two looks.
    return [undefined, false];
  }
}
