// A copy of the checkout in a temporary folder, in which files are mutated and tested, so that whatever happens to the
// command, no mutation is left in the files of whoever runs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { unmountAllIn } from '../support/small-disk.ts';
import { ROOT } from '../support/sources.ts';

/** What is neither source nor test, or is linked. */
const LEFT_OUT = ['.data', '.git', 'coverage', 'dist', 'node_modules'];

/** How long the processes of a program may take to end when they are told to, ms. */
const KILLED_AFTER_MS = 2000;

export type Checkout = ReturnType<typeof makeCheckout>;

interface RunOptions {
  cwd?: string;
  limitMs?: number;
  /** The program is ended when its output matches this. */
  until?: RegExp;
  /** Whether the output is shown, instead of returned. */
  isShown?: boolean;
}

export function makeCheckout() {
  const around = mkdtempSync(join(tmpdir(), 'quiz-mutation-'));
  // PostgreSQL runs as another user if root runs the tests.
  chmodSync(around, 0o755);
  const folder = join(around, 'checkout');
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.includes(relative(ROOT, source).split('/').at(-1) as string),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(around, 'node_modules'));
  const temporary = join(around, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  let running: number | undefined;
  let isRemoved = false;

  function signalRunning(signal: NodeJS.Signals): void {
    try {
      // The program and all that it has started are one group.
      if (running !== undefined) process.kill(-running, signal);
    } catch {
      // It has ended.
    }
  }

  /**
   * Runs a program in a folder, by default the copy, until it ends or has used up its time.
   * @returns its exit code, null if it was ended
   */
  async function run(program: string, args: string[], options: RunOptions = {}) {
    const { cwd = folder, limitMs, until, isShown = false } = options;
    const child = spawn(program, args, {
      cwd,
      detached: true,
      stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
      // What an ended run of tests leaves behind is removed with the copy.
      env: { ...process.env, NO_COLOR: '1', TMPDIR: temporary },
    });
    running = child.pid;
    const ended = once(child, 'exit');
    let output = '';
    let isEnded = false;
    const end = () => {
      isEnded = true;
      signalRunning('SIGTERM');
    };
    const timer = limitMs === undefined ? undefined : globalThis.setTimeout(end, limitMs);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => {
        output += data;
        if (until?.test(output) && !isEnded) end();
      });
    const [code] = (await ended) as [number | null];
    clearTimeout(timer);
    if (isEnded) {
      // The servers of the tests stop when the tests have ended.
      await setTimeout(KILLED_AFTER_MS);
      signalRunning('SIGKILL');
    }
    if (isRemoved) await new Promise(() => {});
    running = undefined;
    return { code: isEnded ? null : code, output };
  }

  return {
    folder,
    /** The folder around it, into which tools are installed; a package of the checkout is found from there too. */
    around,
    run,
    /** Ends what runs, and removes everything. What waits for the end of a program waits forever. */
    async remove(): Promise<void> {
      isRemoved = true;
      if (running !== undefined) {
        signalRunning('SIGTERM');
        await setTimeout(KILLED_AFTER_MS);
        signalRunning('SIGKILL');
      }
      // Chaos that has been killed has left its small disk.
      unmountAllIn(around);
      rmSync(around, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
