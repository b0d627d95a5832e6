// Ends a server that a killed launcher left running, recognised by the data directory it works in.
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, worksIn } from './process-stamp.ts';

const POLL_MS = 20;
const FORCE_MS = 5_000;

/**
 * @param pid the process that the data directory names, undefined when it names none
 * @param dataDir only a process at work in this very folder is touched
 * @param graceMs how long it may take before it is ended by force
 * @returns whether there was one; it has ended now
 */
export async function endLeftover(
  pid: number | undefined,
  dataDir: string,
  signal: NodeJS.Signals,
  graceMs = 20_000,
): Promise<boolean> {
  const ours = () => pid !== undefined && isAlive(pid) && worksIn(pid, dataDir);
  if (pid === undefined || !ours()) return false;
  process.kill(pid, signal);
  process.kill(pid, 'SIGCONT');
  if (await becomes(() => !ours(), graceMs)) return true;
  process.kill(pid, 'SIGKILL');
  if (await becomes(() => !ours(), FORCE_MS)) return true;
  throw new Error(`The server of an earlier run (pid ${pid}, ${dataDir}) can't be ended.`);
}

async function becomes(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > giveUpAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}
