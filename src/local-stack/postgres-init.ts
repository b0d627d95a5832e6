// Makes a PostgreSQL data directory, and says as which user and under which path its server runs.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RunAs } from './postgres-binaries.ts';

const run = promisify(execFile);

/** "nobody" on every Linux; no entry in the user list is needed. */
const UNPRIVILEGED: RunAs = { uid: 65_534, gid: 65_534 };

/** PostgreSQL reads its messages' language, and its default encoding, from here. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/**
 * PostgreSQL refuses to run as root, so root's runs as "nobody", or as whoever owns the data.
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
 * The data may lie below a folder that is closed to the server's user, root's home for one. On
 * Linux a process may use its working directory even then, under this name.
 */
export function dataPath(dataDir: string, user: RunAs | undefined): string {
  return user && platform() === 'linux' ? '/proc/self/cwd' : dataDir;
}

/**
 * Makes the data directory unless it is there. A crash half-way leaves nothing that looks whole.
 * @param durable false skips waiting for the disk
 * @returns whether it was made now
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
  // The built-in locale gives the same order and letter case on every system.
  const args = ['-D', dataPath(draft, user), '-U', 'postgres', '--auth=trust', '-E', 'UTF8'];
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  args.push('--no-instructions', ...(durable ? [] : ['--no-sync']));
  const initdb = join(programs, 'bin', 'initdb');
  const options = { ...user, cwd: draft, env: POSTGRES_ENV };
  await run(initdb, args, options).catch(async (error: Error & { stderr: string }) => {
    const failed = new Error(`PostgreSQL's initdb failed: ${error.stderr.trim() || error.message}`);
    if (!error.stderr.includes('could not look up effective user')) throw failed;
    // A user who isn't in the system's list, as in many containers. initdb insists on a name, the
    // server does not; a user namespace of its own lends it that of "nobody".
    const { uid, gid } = UNPRIVILEGED;
    const lent = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, initdb, ...args];
    await run('unshare', lent, options).catch(() => {
      throw failed;
    });
  });
  // An empty folder in its place is replaced, one with files in it is not.
  renameSync(draft, dataDir);
  return true;
}
