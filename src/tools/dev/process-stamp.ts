// Identifies a process by its pid and start time. Pids are reused after a crash or a reboot, and another program's
// process must never be ended.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';

/** Identifies one process, across reboots too. */
export interface ProcessStamp {
  pid: number;
  /** The start time in the form in which the system tells it. */
  startedAt: string;
}

/** @returns whether a process with this pid exists now */
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

/** @returns the stamp of a running process; undefined when there is none with this pid */
export function stampOf(pid: number): ProcessStamp | undefined {
  if (!isAlive(pid)) return undefined;
  const startedAt = platform() === 'linux' ? linuxStart(pid) : ps(pid, 'lstart=');
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** @returns whether the process of the stamp is still running */
export function isSame(stamp: ProcessStamp): boolean {
  return stampOf(stamp.pid)?.startedAt === stamp.startedAt;
}

/**
 * Tells whether a process is the server of a data directory, which PostgreSQL and Redis make their working directory.
 * @returns whether `folder` is the working directory of the process; where the system does not tell it, whether the
 *   command line contains `folder`
 */
export function worksIn(pid: number, folder: string): boolean {
  try {
    if (platform() === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    return ps(pid, 'command=')?.includes(folder) ?? false;
  } catch {
    return false;
  }
}

/** @returns the parent of a process; undefined on systems other than Linux */
export function parentOf(pid: number): number | undefined {
  const parent = platform() === 'linux' ? linuxStat(pid)?.[1] : undefined;
  return parent === undefined ? undefined : Number(parent);
}

// Field 22 of /proc/<pid>/stat is the start time since the boot, so that the boot's id makes it unique across reboots.
function linuxStart(pid: number): string | undefined {
  const fields = linuxStat(pid);
  if (!fields?.[19]) return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
}

/**
 * @returns the fields of /proc/<pid>/stat from the third (the state) on; the second one, the name, may contain spaces
 *   and parentheses
 */
function linuxStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

// A zombie has ended, and stays until its parent waits for it. In a container whose first process reaps no orphans it
// stays for ever.
function isZombie(pid: number): boolean {
  return platform() === 'linux' && linuxStat(pid)?.[0] === 'Z';
}

function ps(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', column], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}
