// Identifies a process by its pid and start time, and ends those that a killed launcher has left running. Pids are reused
// after a crash or a reboot, and another program's process must never be ended.
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';
import { until } from './managed-process.ts';

/** Identifies one process, across reboots too. */
export interface ProcessStamp {
  pid: number;
  /** The start time in the form in which the system tells it. */
  startedAt: string;
}

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
function worksIn(pid: number, folder: string): boolean {
  try {
    if (platform() === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
    return ps(pid, 'command=')?.includes(folder) ?? false;
  } catch {
    return false;
  }
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

/** How long programs may take to notice by themselves that their launcher is gone, ms. */
const NOTICE_MS = 2_000;
/** How long a program may take to end after SIGTERM, ms. */
const TERM_MS = 8_000;
/** How long a server may take to end after its stop signal, ms. */
const SERVER_MS = 20_000;
/** How long a process may take to end after SIGKILL, ms. */
const FORCE_MS = 5_000;

/**
 * Ends a server of an earlier run.
 * @param pid the process that the data directory names, if it names one
 * @param dataDir a process that does not work in this folder is left alone
 * @returns whether there was such a server
 * @throws Error when the server can't be ended
 */
export async function endServer(pid: number | undefined, dataDir: string, signal: NodeJS.Signals): Promise<boolean> {
  if (pid === undefined) return false;
  const runs = () => isAlive(pid) && worksIn(pid, dataDir);
  if (!runs()) return false;
  if (await end(pid, runs, [signal, SERVER_MS], ['SIGKILL', FORCE_MS])) return true;
  throw new Error(`The server of an earlier run (pid ${pid}, ${dataDir}) can't be ended.`);
}

/** Waits for a program to notice that its launcher is gone, and ends it if it does not. */
export async function endProgram(program: ProcessStamp): Promise<void> {
  const runs = () => isSame(program);
  if (await until(() => !runs(), NOTICE_MS)) return;
  await end(program.pid, runs, ['SIGTERM', TERM_MS], ['SIGKILL', FORCE_MS]);
}

async function end(
  pid: number,
  runs: () => boolean,
  ...steps: [signal: NodeJS.Signals, timeoutMs: number][]
): Promise<boolean> {
  for (const [signal, timeoutMs] of steps) {
    signalIfAlive(pid, signal);
    // A stopped process handles a signal only after SIGCONT.
    signalIfAlive(pid, 'SIGCONT');
    if (await until(() => !runs(), timeoutMs)) return true;
  }
  return false;
}

/** Sends a signal, and ignores that the process has ended meanwhile. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
