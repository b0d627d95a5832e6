// A process of the service that a test can kill, freeze and restart, also with other settings or with the
// code of another release.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILE_CACHE } from './command.ts';
import { eventually } from './eventually.ts';
import { ROOT } from './sources.ts';

export type RestartableProcess = ReturnType<typeof createRestartableProcess>;

export interface ProcessOptions {
  /** The program's file, relative to the root of its release. */
  entry: string;
  /** The arguments of Node.js before it. */
  nodeArgs?: readonly string[];
  /** @returns the environment of the next start */
  env(): NodeJS.ProcessEnv;
  isReady(): Promise<void>;
  /** @returns the root of the release to run at the next start; by default this project's */
  root?(): string | undefined;
  onLog?(line: string): void;
  /** Is called with each message that the process sends over its IPC channel. */
  onMessage?(message: unknown): void;
  /** Is called when the process has ended without `kill` or `stop`. */
  onCrash?(code: number | null, signal: NodeJS.Signals | null): void;
}

export function createRestartableProcess(options: ProcessOptions) {
  const { entry, nodeArgs = [], env, isReady, onLog, onMessage, onCrash } = options;
  const output = onLog ? 'pipe' : process.env.FLEET_LOGS ? 'inherit' : 'ignore';
  let child: ChildProcess | undefined;
  let isWanted = false;
  let isUp = false;
  let ended: Promise<number | null> = Promise.resolve(null);

  /** Sends a signal that ends the process. @returns the exit code, or null if the signal has ended it */
  function end(signal: NodeJS.Signals): Promise<number | null> {
    isWanted = false;
    isUp = false;
    child?.kill(signal);
    // A frozen process handles SIGTERM only after SIGCONT.
    child?.kill('SIGCONT');
    return ended;
  }

  return {
    end,
    async start(): Promise<void> {
      const root = options.root?.() ?? ROOT;
      const started = spawn(process.execPath, [...nodeArgs, join(root, entry)], {
        cwd: root,
        env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...env() },
        stdio: ['ignore', output, 'inherit', ...(onMessage ? (['ipc'] as const) : [])],
      });
      child = started;
      isWanted = true;
      ended = once(started, 'exit').then(([code, signal]) => {
        if (isWanted && child === started) onCrash?.(code, signal);
        return code;
      });
      if (onMessage) started.on('message', onMessage);
      if (onLog && started.stdout) createInterface({ input: started.stdout }).on('line', onLog);
      await eventually(isReady, { timeoutMs: 150_000, intervalMs: 50 });
      isUp = true;
    },
    async kill(): Promise<void> {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    /** Stops the process: its connections stay open, and it does nothing. */
    freeze(): void {
      child?.kill('SIGSTOP');
      isUp = false;
    },
    thaw(): void {
      child?.kill('SIGCONT');
      isUp = true;
    },
    /** @returns whether it is ready, and neither frozen nor ended by the test */
    isUp: () => isUp,
    send: (message: string) => void child?.send(message),
  };
}
