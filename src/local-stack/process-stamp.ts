// Recognises a process again by more than its number: numbers are given to others after a crash
// or a reboot, and ending somebody else's process would be unforgivable.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';

/** Names one process, for ever. */
export interface ProcessStamp {
  pid: number;
  /** When it started, in whatever form the system tells it; two processes of one pid differ. */
  startedAt: string;
}

/** @returns whether a process of this number exists now. */
export function isAlive(pid: number): boolean {
  // To the kernel, 0 and less are names of groups.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** @returns the stamp of a living process, undefined when there is none of this number. */
export function stampOf(pid: number): ProcessStamp | undefined {
  if (!isAlive(pid)) return undefined;
  const startedAt = platform() === 'linux' ? linuxStart(pid) : ps(pid, 'lstart=');
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** @returns whether the process that was stamped is still running. */
export function isSame(stamp: ProcessStamp): boolean {
  return stampOf(stamp.pid)?.startedAt === stamp.startedAt;
}

/**
 * Both PostgreSQL and Redis make their data directory their working directory.
 * @returns whether the process works in `folder`, or names it in its command line where a
 *   working directory can't be asked for
 */
export function worksIn(pid: number, folder: string): boolean {
  try {
    if (platform() === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    return ps(pid, 'command=')?.includes(folder) ?? false;
  } catch {
    return false;
  }
}

/** @returns the parent of a process; undefined where the system can't be asked cheaply. */
export function parentOf(pid: number): number | undefined {
  const parent = platform() === 'linux' ? linuxStat(pid)?.[1] : undefined;
  return parent === undefined ? undefined : Number(parent);
}

// Field 22 of /proc/<pid>/stat counts from the start of the machine; the boot's own id makes it
// unique across reboots. The second field may hold spaces and parentheses.
function linuxStart(pid: number): string | undefined {
  const fields = linuxStat(pid);
  if (!fields?.[19]) return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
}

/** The fields of /proc/<pid>/stat from the third (the state) on. */
function linuxStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

// One that has ended and waits for its parent to notice: in a container whose first process
// collects no orphans it may stay for ever.
function isZombie(pid: number): boolean {
  return platform() === 'linux' && linuxStat(pid)?.[0] === 'Z';
}

function ps(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', column], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}
