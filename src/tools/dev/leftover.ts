// Waits for the servers that a killed launcher has left, which their guards stop. Pids are reused after a crash or a
// reboot, and another program's process must neither be ended nor waited for.
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { until } from './managed-process.ts';

/** How long a server may take to end, ms. Its guard kills it before that. */
const SERVER_MS = 25_000;

export function isAlive(pid: number): boolean {
  // The kernel takes 0 and negative numbers for process groups.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// A zombie has ended, and stays until its parent waits for it. In a container whose first process reaps no orphans it
// stays for ever. The state follows the name of the program, which may contain spaces and parentheses.
function isZombie(pid: number): boolean {
  return platform() === 'linux' && /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** @returns the lines of a server's pid file, the first of which has its process id; none if there is no file */
export function readPidFile(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Waits until the server of an earlier run has ended.
 * @param pidFile the file in which the server has written its process id
 * @param dataDir the server's working directory; a process that works elsewhere is another program's
 * @throws Error when the server does not end
 */
export async function untilServerEnds(pidFile: string, dataDir: string): Promise<void> {
  const pid = Number(readPidFile(pidFile)[0]);
  if (!(await until(() => !(isAlive(pid) && worksIn(pid, dataDir)), SERVER_MS)))
    throw new Error(`The server of an earlier run (pid ${pid}, ${dataDir}) does not end: stop it.`);
  // Another program has this pid today. PostgreSQL would take it for a running server and refuse to start.
  if (isAlive(pid)) rmSync(pidFile);
}

/** @returns whether `folder` is the working directory of the process; true where the system does not tell it */
function worksIn(pid: number, folder: string): boolean {
  if (platform() !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
