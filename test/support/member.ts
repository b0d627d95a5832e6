// One process of the service that a test may kill, freeze and bring back, with other settings or
// another release's code if it likes.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from './eventually.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A process of the fleet that a test may kill and bring back. */
export interface Member {
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
  /** Starts it and waits until it is ready. */
  start(): Promise<void>;
  /** It keeps its connections and does nothing. */
  freeze(): void;
  thaw(): void;
}

export interface MemberOptions {
  /** The file that is run, from the root of its release. */
  entry: string;
  /** Read at every start. */
  env(): NodeJS.ProcessEnv;
  isReady(): Promise<void>;
  /** Whose code runs, read at every start; by default this project's. */
  root?(): string | undefined;
  /** Gets its log, line by line. */
  onLog?(line: string): void;
  /** Gets what it sends over a channel to this process. */
  onMessage?(message: unknown): void;
  /** It has ended, and nobody here asked it to. */
  onCrash?(code: number | null, signal: NodeJS.Signals | null): void;
}

export function createMember(options: MemberOptions): Member {
  const { entry, env, isReady, onLog, onMessage, onCrash } = options;
  const output = onLog ? 'pipe' : process.env.FLEET_LOGS ? 'inherit' : 'ignore';
  let child: ChildProcess | undefined;
  let isWanted = false;
  let ended: Promise<number | null> = Promise.resolve(null);

  function end(signal: NodeJS.Signals): Promise<number | null> {
    isWanted = false;
    child?.kill(signal);
    // A frozen one can't act on a signal before it is let go on.
    child?.kill('SIGCONT');
    return ended;
  }

  return {
    async start() {
      const root = options.root?.() ?? ROOT;
      const started = spawn(process.execPath, [join(root, entry)], {
        cwd: root,
        env: { PATH: process.env.PATH, ...env() },
        stdio: ['ignore', output, 'inherit', ...(onMessage ? (['ipc'] as const) : [])],
      });
      child = started;
      isWanted = true;
      ended = new Promise((resolve) => {
        started.once('exit', (code, signal) => {
          if (isWanted && child === started) onCrash?.(code, signal);
          resolve(code);
        });
      });
      if (onMessage) started.on('message', onMessage);
      if (onLog && started.stdout) createInterface({ input: started.stdout }).on('line', onLog);
      await eventually(isReady, { timeoutMs: 90_000, intervalMs: 50 });
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}
