// A Node.js program of this project as a child process of the launcher.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type OwnProcess, spawnOwn } from './own-process.ts';
import { createReadableLog } from './readable-log.ts';

/** The checkout: where children run, and what their paths are relative to. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

const GUARD = new URL('orphan-guard.ts', import.meta.url).href;
const GUARD_FD = 3;
const NAME_WIDTH = 6;
/** A little more than the 25 s that the processes grant themselves. */
const STOP_TIMEOUT_MS = 27_000;

/** Whoever pipes our output into a program wants the JSON as it is. */
const readable = process.stdout.isTTY
  ? createReadableLog(process.stdout.hasColors())
  : (line: string) => line;

/**
 * An API replica, as `npm start` and the image run it too. Left to itself V8's young generation grows to
 * 134 MB on a large machine, by whatever a stranger sends; a fourth of it costs a request no more. Left to
 * itself it also puts what lived through one wait, as questions do until they are stored, among what stays:
 * there only the large collections find it, with all that hangs on it.
 */
export const API_PROGRAM = [
  '--max-semi-space-size=16',
  '--no-allocation-site-pretenuring',
  'src/server.ts',
];

/** What to run. */
export interface ChildSpec {
  /** Stands before each line it prints: `api-1`. */
  name: string;
  /** A program of the checkout and its arguments: `['worker/main.ts']`. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Starts the program under this very Node.js. It ends by itself when we do.
 * @param print gets each line of its output, with its name in front
 */
export async function spawnChild(
  { name, args, env }: ChildSpec,
  print: (line: string) => void,
): Promise<OwnProcess> {
  // Releases before 24.3 warn of running TypeScript, once a process.
  const flags = ['--disable-warning=ExperimentalWarning', '--import', GUARD];
  const { own, child } = await spawnOwn(
    [process.execPath, ...flags, ...args],
    {
      cwd: PROJECT_ROOT,
      env: { ...env, LOCAL_STACK_GUARD_FD: String(GUARD_FD) },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
    { stopSignal: 'SIGTERM', graceMs: STOP_TIMEOUT_MS },
  );
  forward(child, name.padEnd(NAME_WIDTH), print);
  return own;
}

function forward(child: ChildProcess, label: string, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      for (const shown of readable(line).split('\n')) print(`${label} | ${shown}`);
    });
  }
  // Nothing is sent either way; a broken guard pipe is the child's end, which is noticed anyhow.
  child.stdio[GUARD_FD]?.on('error', () => undefined);
}
