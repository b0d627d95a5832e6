// Creates a PostgreSQL data directory, and decides as which user and under which path its server runs.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RunAs } from './postgres-binaries.ts';

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
export function dataPath(dataDir: string, user: RunAs | undefined): string {
  return user && platform() === 'linux' ? '/proc/self/cwd' : dataDir;
}

/**
 * Creates the data directory unless it exists. A crash leaves no directory that looks complete.
 * @param durable false skips the wait for the disk
 * @returns whether this call has created it
 */
export async function initialise(
  programs: string,
  dataDir: string,
  user: RunAs | undefined,
  durable: boolean,
): Promise<boolean> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) return false;
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
  return true;
}
