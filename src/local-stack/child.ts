// A Node.js program of this project as a child process of the launcher.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createReadableLog } from './readable-log.ts';

/** The checkout: where children run, and what their paths are relative to. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

const GUARD = new URL('orphan-guard.ts', import.meta.url).href;
const GUARD_FD = 3;
const NAME_WIDTH = 6;

/** Whoever pipes our output into a program wants the JSON as it is. */
const readable = process.stdout.isTTY
  ? createReadableLog(process.stdout.hasColors())
  : (line: string) => line;

/**
 * An API replica, as `npm start` and the image run it too. Left to itself V8's young generation grows to
 * 134 MB on a large machine, by whatever a stranger sends; a fourth of it costs a request no more.
 */
export const API_PROGRAM = ['--max-semi-space-size=16', 'src/server.ts'];

/** What to run. */
export interface ChildSpec {
  /** Stands before each line it prints: `api-1`. */
  name: string;
  /** A program of the checkout and its arguments: `['worker/main.ts']`. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts the program under this very Node.js. It ends by itself when we do.
 * @param print gets each line of its output, with its name in front
 */
export function spawnChild(spec: ChildSpec, print: (line: string) => void): Child {
  // Releases before 24.3 warn of running TypeScript, once a process.
  const flags = ['--disable-warning=ExperimentalWarning', '--import', GUARD];
  const child = spawn(process.execPath, [...flags, ...spec.args], {
    cwd: PROJECT_ROOT,
    env: { ...spec.env, LOCAL_STACK_GUARD_FD: String(GUARD_FD) },
    // A session of its own: Ctrl-C in the terminal reaches the launcher alone.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  forward(child, spec.name, print);
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      print(label(spec.name, error.message));
      if (child.pid === undefined) resolve({ code: 127, signal: null });
    });
  });
  return { pid: child.pid, ended, kill: (signal) => void child.kill(signal) };
}

/**
 * Runs a program to its end.
 * @param started is given the child, so that it can be stopped
 * @throws Error unless it exits 0
 */
export async function runChild(
  spec: ChildSpec,
  print: (line: string) => void,
  started: (child: Child) => void,
): Promise<void> {
  const child = spawnChild(spec, print);
  started(child);
  const ending = await child.ended;
  if (ending.code !== 0)
    throw new Error(`${spec.name} failed (${describeEnding(ending)}), see its lines above.`);
}

/** @returns `exit 1` or `SIGKILL`. */
export function describeEnding({ code, signal }: Ending): string {
  return signal ?? `exit ${code}`;
}

function forward(child: ChildProcess, name: string, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      for (const shown of readable(line).split('\n')) print(label(name, shown));
    });
  }
  // Nothing is sent either way; a broken guard pipe is the child's end, which is noticed anyhow.
  child.stdio[GUARD_FD]?.on('error', () => undefined);
}

function label(name: string, line: string): string {
  return `${name.padEnd(NAME_WIDTH)} | ${line}`;
}
