// Runs a Node.js program of this project as a child process of the launcher, with its name in front of each line that
// it prints. Its JSON logs are made readable on a terminal.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { prettyFactory } from 'pino-pretty';
import { type ManagedProcess, spawnManaged } from './managed-process.ts';
import { printLine } from './reporter.ts';

/** The root of the checkout: the working directory of the children, to which their paths are relative. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const NAME_WIDTH = 6;
/** A child that has not ended this many ms after SIGTERM is killed; the programs give themselves 25 s. */
const STOP_TIMEOUT_MS = 27_000;
/** The same when the launcher was killed, s. It is short, since the stores are stopping too. */
const ORPHAN_GRACE_SECONDS = 5;

/** Logs are made readable on a terminal alone; a program that the output is piped to gets the JSON. */
const readable = process.stdout.isTTY ? createReadableLog(process.stdout.hasColors()) : (line: string) => line;

/**
 * The arguments of an API replica, as in `npm start` and in the image. Without the limit V8's young generation grows
 * to 134 MB on a large machine; with 8 MB a request costs no more, and an idle replica holds 160 MB.
 */
export const API_PROGRAM = ['--max-semi-space-size=8', 'src/server.ts'];

/** The arguments of a worker, as in `npm run start:worker` and in the image. */
export const WORKER_PROGRAM = ['--max-semi-space-size=8', 'worker/main.ts'];

export interface ChildSpec {
  /** The name in front of each line that it prints: `api-1`. */
  name: string;
  /** A program of the checkout and its arguments: `['worker/main.ts']`. */
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Starts the program with the Node.js that runs this process, and prints each line of its output with its name in front.
 * It stops by itself when this process ends.
 */
export async function spawnChild({ name, args, env }: ChildSpec): Promise<ManagedProcess> {
  // Node.js before 24.3 prints a warning when it runs TypeScript.
  const flags = ['--disable-warning=ExperimentalWarning'];
  const { managed, child } = await spawnManaged(
    [process.execPath, ...flags, ...args],
    { cwd: PROJECT_ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
    { stopSignal: 'SIGTERM', graceMs: STOP_TIMEOUT_MS, orphanGraceSeconds: ORPHAN_GRACE_SECONDS },
  );
  forward(child, name.padEnd(NAME_WIDTH));
  return managed;
}

function forward(child: ChildProcess, label: string): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      for (const shown of readable(line).split('\n')) printLine(`${label} | ${shown}`);
    });
  }
}

/** Fields that a developer does not need, or that the message contains already. */
const HIDDEN_FIELDS = 'pid,hostname,name,requestId,method,path,status,durationMs,clientAddress,traceId';

const REQUEST = '{if method}{method} {path} {status} in {durationMs} ms{end}';

/**
 * @param colour whether the terminal shows colours
 * @returns a function that formats a line of JSON and returns any other line unchanged
 */
export function createReadableLog(colour: boolean): (line: string) => string {
  const prettify = prettyFactory({
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: HIDDEN_FIELDS,
    messageFormat: `{msg} ${REQUEST}`,
  });
  return (line) => (line.startsWith('{') ? prettify(line).trimEnd() : line);
}
