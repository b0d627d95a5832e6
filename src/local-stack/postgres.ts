// A real PostgreSQL of this project's own: started from the programs that npm installed, reachable
// from this machine alone, its data in a folder that outlives it.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftover } from './leftover.ts';
import { freePort } from './ports.ts';
import { postgresPrograms } from './postgres-binaries.ts';
import { dataPath, initialise, POSTGRES_ENV, serverUser } from './postgres-init.ts';
import { isAlive } from './process-stamp.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';

const START_TIMEOUT_MS = 60_000;
/** How long the processes of a killed server may take to notice and let go of its memory. */
const LET_GO_MS = 10_000;
const PORT_ATTEMPTS = 10;
const MAX_CONNECTIONS = 300;

export interface PostgresOptions {
  /** Made when missing; `<dataDir>.log` beside it holds the log of the latest run. */
  dataDir: string;
  /** A free one by default. */
  port?: number;
  /** False trades safety against power loss for speed: for tests. */
  durable: boolean;
}

export interface EmbeddedPostgres {
  /** The `postgres` database, to administrate. */
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<void>;
  /** @returns the address of another database of this server; it need not exist yet. */
  urlOf(database: string): string;
  signal(signal: NodeJS.Signals): void;
  /** Ends open connections, writes everything down and stops. */
  stop(): Promise<void>;
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

  const letGoBy = Date.now() + LET_GO_MS;
  for (let attempt = 1; ; ) {
    const port = options.port ?? (await freePort());
    const server = await spawnServer({
      name: 'PostgreSQL',
      command: join(programs, 'bin', 'postgres'),
      args: ['-D', dataPath(dataDir, user), '-p', String(port), ...settings(options.durable)],
      env: POSTGRES_ENV,
      cwd: dataDir,
      logFile: `${dataDir}.log`,
      ...(user && { user }),
      stopSignal: 'SIGINT',
    });
    if (await ready(server, dataDir)) return describe(server, port);
    await server.stop();
    const words = server.lastWords();
    if (words.includes('pre-existing shared memory') && Date.now() < letGoBy) await sleep(100);
    else if (isPortTaken(words) && !options.port && attempt < PORT_ATTEMPTS) attempt++;
    else if (isPortTaken(words)) throw new Error(`PostgreSQL: port ${port} is taken.`);
    else throw new Error(`PostgreSQL did not start:\n${words}`);
  }
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
  if (await endLeftover(pid, dataDir, 'SIGINT')) return;
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

async function ready(server: ServerProcess, dataDir: string): Promise<boolean> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (server.running() && Date.now() < giveUpAt) {
    const [pid, isReady] = readPidFile(dataDir);
    if (isReady && pid === server.pid) return true;
    await sleep(10);
  }
  return false;
}

function isPortTaken(words: string): boolean {
  return words.includes('Address already in use') || words.includes('could not create any TCP');
}

function describe(server: ServerProcess, port: number): EmbeddedPostgres {
  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  return {
    url: urlOf('postgres'),
    pid: server.pid,
    port,
    exited: server.exited,
    urlOf,
    signal: server.signal,
    stop: () => server.stop(),
  };
}
