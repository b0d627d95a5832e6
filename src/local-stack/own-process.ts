// A process that this one starts and stops, whatever it runs.
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a process ended. */
export type Ending = NodeJS.Signals | `exit ${number}`;

export interface OwnProcess {
  readonly pid: number;
  /** Resolves when it has ended, whoever ended it. */
  readonly exited: Promise<Ending>;
  running(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Ends it in good order, by force when that takes too long. Calling it again is harmless. */
  stop(): Promise<void>;
}

/** How a program is asked to end, and how long that may take. */
export interface Farewell {
  stopSignal: NodeJS.Signals;
  graceMs: number;
}

/**
 * Starts a program.
 * @returns the process, and Node.js' own view of it for its streams
 * @throws Error when it can't be started at all
 */
export async function spawnOwn(
  [command, ...args]: [string, ...string[]],
  options: SpawnOptions,
  { stopSignal, graceMs }: Farewell,
) {
  // A session of its own: Ctrl-C in the terminal reaches the launcher alone, which then stops
  // everything in the right order.
  const child = spawn(command, args, { ...options, detached: true });
  const exited = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code as number}`));
  });
  await once(child, 'spawn').catch((error: Error) => {
    throw new Error(`${command} can't be run: ${error.message}`);
  });
  // A signal that can't be sent says so here too, and is no reason to end.
  child.on('error', () => undefined);
  const running = () => child.exitCode === null && child.signalCode === null;

  async function stop(): Promise<void> {
    if (!running()) return;
    child.kill(stopSignal);
    // One that was paused can't act on a signal before it is let go on.
    child.kill('SIGCONT');
    const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(force);
  }

  const signal = (name: NodeJS.Signals) => void (running() && child.kill(name));
  const own: OwnProcess = { pid: child.pid as number, exited, running, signal, stop };
  return { own, child };
}
