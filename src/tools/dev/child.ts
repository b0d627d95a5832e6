// Runs a Node.js program of this project as a child process of the launcher, with its name in front of each line that
// it prints.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ManagedProcess, spawnManaged } from './managed-process.ts';
import { createReadableLog } from './readable-log.ts';

/** The root of the checkout: the working directory of the children, to which their paths are relative. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const GUARD = new URL('orphan-guard.ts', import.meta.url).href;
const GUARD_FD = 3;
const NAME_WIDTH = 6;
/** A child that has not ended this many ms after SIGTERM is killed; the programs give themselves 25 s. */
const STOP_TIMEOUT_MS = 27_000;

/** Logs are made readable on a terminal alone; a program that the output is piped to gets the JSON. */
const readable = process.stdout.isTTY ? createReadableLog(process.stdout.hasColors()) : (line: string) => line;

/**
 * The arguments of an API replica, as in `npm start` and in the image. Without the limit V8's young generation grows
 * to 134 MB on a large machine; with 8 MB a request costs no more, and an idle replica holds 160 MB.
 */
export const API_PROGRAM = ['--max-semi-space-size=8', 'src/server.ts'];

/** The arguments of a worker, as in `npm run start:worker` and in the image. */
export const WORKER_PROGRAM = ['--max-semi-space-size=8', 'worker/main.ts'];

/** A program to run. */
export interface ChildSpec {
  /** The name in front of each line that it prints: `api-1`. */
  name: string;
  /** A program of the checkout and its arguments: `['worker/main.ts']`. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Starts the program with the Node.js that runs this process. It stops by itself when this process ends.
 * @param print receives each line of its output, with its name in front
 */
export async function spawnChild(
  { name, args, env }: ChildSpec,
  print: (line: string) => void,
): Promise<ManagedProcess> {
  // Node.js before 24.3 prints a warning when it runs TypeScript.
  const flags = ['--disable-warning=ExperimentalWarning', '--import', GUARD];
  const { managed, child } = await spawnManaged(
    [process.execPath, ...flags, ...args],
    {
      cwd: PROJECT_ROOT,
      env: { ...env, LOCAL_STACK_GUARD_FD: String(GUARD_FD) },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
    { stopSignal: 'SIGTERM', graceMs: STOP_TIMEOUT_MS },
  );
  forward(child, name.padEnd(NAME_WIDTH), print);
  return managed;
}

function forward(child: ChildProcess, label: string, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      for (const shown of readable(line).split('\n')) print(`${label} | ${shown}`);
    });
  }
  // Nothing is sent over the guard's pipe, and it breaks when the child ends, which `exited` tells.
  child.stdio[GUARD_FD]?.on('error', () => undefined);
}
