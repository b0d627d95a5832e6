// Starts a process that this one can signal and stop.
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The signal or the exit code with which a process has ended. */
export type Ending = NodeJS.Signals | `exit ${number}`;

export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<Ending>;
  running(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Sends the stop signal, and SIGKILL when the process has not ended in time. It may be called repeatedly. */
  stop(): Promise<void>;
}

/** The signal that asks a program to end, and how long that may take. */
export interface StopPolicy {
  stopSignal: NodeJS.Signals;
  graceMs: number;
}

/**
 * Starts a program.
 * @returns the process, and Node.js' own object with its streams
 * @throws Error when the program can't be run
 */
export async function spawnManaged(
  [command, ...args]: [string, ...string[]],
  options: SpawnOptions,
  { stopSignal, graceMs }: StopPolicy,
) {
  // The process has a session of its own, so that Ctrl-C in the terminal reaches the launcher alone, which then stops
  // everything in order.
  const child = spawn(command, args, { ...options, detached: true });
  const exited = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code as number}`));
  });
  await once(child, 'spawn').catch((error: Error) => {
    throw new Error(`${command} can't be run: ${error.message}`);
  });
  // Node.js also reports a signal that can't be sent as an error, which would end this process.
  child.on('error', () => undefined);
  const running = () => child.exitCode === null && child.signalCode === null;

  async function stop(): Promise<void> {
    if (!running()) return;
    child.kill(stopSignal);
    // A stopped process handles a signal only after SIGCONT.
    child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(force);
  }

  const signal = (name: NodeJS.Signals) => void (running() && child.kill(name));
  const managed: ManagedProcess = { pid: child.pid as number, exited, running, signal, stop };
  return { managed, child };
}
