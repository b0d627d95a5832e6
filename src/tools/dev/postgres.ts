// Starts PostgreSQL for this machine alone: it creates the data directory, and decides as which user and under which path
// the server runs.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readPidFile, untilServerEnds } from './leftover.ts';
import { startServer } from './managed-process.ts';
import { postgresPrograms, type RunAs } from './postgres-binaries.ts';

const run = promisify(execFile);

/** The user "nobody" of every Linux, which needs no entry in the list of users. */
const UNPRIVILEGED: RunAs = { uid: 65_534, gid: 65_534 };

/** PostgreSQL takes the language of its messages and its default encoding from the environment. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/**
 * PostgreSQL refuses to run as root. Under root it therefore runs as the owner of the data, or as "nobody".
 * @returns undefined when the server runs as the user of this process
 * @throws Error when the data belongs to another user
 */
export function serverUser(dataDir: string): RunAs | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (uid === 0) return owner?.uid ? { uid: owner.uid, gid: owner.gid } : UNPRIVILEGED;
  if (owner && owner.uid !== uid)
    throw new Error(
      `${dataDir} belongs to user ${owner.uid}, and this is user ${uid}: an earlier run was made ` +
        'by somebody else (root, perhaps). Set DATA_DIR to another folder, or remove that one.',
    );
  return undefined;
}

/**
 * @returns the path under which the server opens its data. The data may lie below a folder that the server's user
 *   can't enter, such as root's home; on Linux a process can use its working directory even then
 */
function dataPath(dataDir: string, user: RunAs | undefined): string {
  return user && platform() === 'linux' ? '/proc/self/cwd' : dataDir;
}

/**
 * Creates the data directory unless it exists. A crash leaves no directory that looks complete.
 * @param durable false skips the wait for the disk
 */
async function initialise(programs: string, dataDir: string, user: RunAs | undefined, durable: boolean): Promise<void> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return;
  const draft = `${dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(dirname(draft), { recursive: true });
  mkdirSync(draft, { mode: 0o700 });
  if (user) chownSync(draft, user.uid, user.gid);
  // The built-in locale sorts and changes case in the same way on every system.
  const args = ['-D', dataPath(draft, user), '-U', 'postgres', '--auth=trust', '-E', 'UTF8'];
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  args.push('--no-instructions', ...(durable ? [] : ['--no-sync']));
  const initdb = join(programs, 'bin', 'initdb');
  const options = { ...user, cwd: draft, env: POSTGRES_ENV };
  await run(initdb, args, options).catch(async (error: Error & { stderr: string }) => {
    const failed = new Error(`PostgreSQL's initdb failed: ${error.stderr.trim() || error.message}`);
    if (!error.stderr.includes('could not look up effective user')) throw failed;
    // The user is not in the system's list, as in many containers. initdb needs a name, while the server does not. So
    // initdb runs in a user namespace, in which the user is mapped to "nobody".
    const { uid, gid } = UNPRIVILEGED;
    const mapped = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, initdb, ...args];
    await run('unshare', mapped, options).catch(() => {
      throw failed;
    });
  });
  // The rename replaces an empty folder, and fails when the folder has files.
  renameSync(draft, dataDir);
}

const MAX_CONNECTIONS = 300;

interface PostgresOptions {
  /** Created when it is missing. The log of the latest run is `<dataDir>.log`. */
  dataDir: string;
  /** A free port by default. */
  port?: number | undefined;
  /** False is faster and may lose data at a power failure; tests use it. */
  durable: boolean;
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts PostgreSQL and waits until it accepts connections. A server that a killed launcher has left on the same
 * data ends first.
 * @throws Error when it can't be started; the message has the end of its log
 */
export async function startPostgres(options: PostgresOptions) {
  const dataDir = resolve(options.dataDir);
  const user = serverUser(dataDir);
  const programs = await postgresPrograms(user);
  const pidFile = join(dataDir, 'postmaster.pid');
  await untilServerEnds(pidFile, dataDir);
  await initialise(programs, dataDir, user, options.durable);

  const server = await startServer(
    {
      name: 'PostgreSQL',
      command: join(programs, 'bin', 'postgres'),
      args: (port) => ['-D', dataPath(dataDir, user), '-p', `${port}`, ...settings(options.durable)],
      env: POSTGRES_ENV,
      cwd: dataDir,
      logFile: `${dataDir}.log`,
      user,
      stopSignal: 'SIGINT',
      isReady(pid) {
        const lines = readPidFile(pidFile);
        return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
      },
      portTaken: /Address already in use|could not create any TCP/,
      stillHeld: /pre-existing shared memory/,
    },
    options.port,
  );
  /** @returns the address of a database of this server, which need not exist yet */
  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${server.port}/${database}`;
  return {
    ...server,
    /** The address of the database `postgres`, for administration. */
    url: urlOf('postgres'),
    urlOf,
  };
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
