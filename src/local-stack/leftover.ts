// Ends what a killed launcher left running: servers, recognised by the data directory they work in, and
// programs, recognised by their stamps.
import { isAlive, isSame, type ProcessStamp, worksIn } from './process-stamp.ts';
import { until } from './until.ts';

/** How long programs of a crashed launcher may take to notice that it is gone. */
const NOTICE_MS = 2_000;
const TERM_MS = 8_000;
const SERVER_MS = 20_000;
const FORCE_MS = 5_000;

/**
 * @param pid the server that the data directory names, undefined when it names none
 * @param dataDir only a process at work in this very folder is touched
 * @returns whether there was one; it has ended now
 * @throws Error when it can't be ended
 */
export async function endServer(
  pid: number | undefined,
  dataDir: string,
  signal: NodeJS.Signals,
): Promise<boolean> {
  if (pid === undefined) return false;
  const runs = () => isAlive(pid) && worksIn(pid, dataDir);
  if (!runs()) return false;
  if (await end(pid, runs, [signal, SERVER_MS], ['SIGKILL', FORCE_MS])) return true;
  throw new Error(`The server of an earlier run (pid ${pid}, ${dataDir}) can't be ended.`);
}

/** Programs end by themselves when their launcher is gone; one that doesn't is helped. */
export async function endProgram(program: ProcessStamp): Promise<void> {
  const runs = () => isSame(program);
  if (await until(() => !runs(), NOTICE_MS)) return;
  await end(program.pid, runs, ['SIGTERM', TERM_MS], ['SIGKILL', FORCE_MS]);
}

async function end(
  pid: number,
  runs: () => boolean,
  ...steps: [signal: NodeJS.Signals, patienceMs: number][]
): Promise<boolean> {
  for (const [signal, patienceMs] of steps) {
    signalIfAlive(pid, signal);
    // One that was paused can't act on a signal before it is let go on.
    signalIfAlive(pid, 'SIGCONT');
    if (await until(() => !runs(), patienceMs)) return true;
  }
  return false;
}

/** It may have ended since it was looked at. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
