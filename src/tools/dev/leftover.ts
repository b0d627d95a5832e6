// Ends the processes that a killed launcher has left running: servers, which are recognised by their data directory,
// and programs, which are recognised by their start time.
import { isAlive, isSame, type ProcessStamp, worksIn } from './process-stamp.ts';
import { until } from './until.ts';

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
