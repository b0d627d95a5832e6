// Runs a Node.js program of this project as a child process of the launcher, with its name in front of each line that
// it prints. Its JSON logs are made readable on a terminal.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { prettyFactory } from 'pino-pretty';
import { type ManagedProcess, spawnManaged } from './managed-process.ts';

/** The root of the checkout: the working directory of the children, to which their paths are relative. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const NAME_WIDTH = 6;
/** Logs are made readable on a terminal alone; a program that the output is piped to gets the JSON. */
const readable = process.stdout.isTTY ? createReadableLog(process.stdout.hasColors()) : (line: string) => line;

/**
 * The arguments of an API replica, as in `npm start` and in the image. Without the limit V8's young generation grows
 * to 134 MB on a large machine; with 8 MB a request costs no more, and an idle replica holds 160 MB.
 */
export const API_PROGRAM = ['--max-semi-space-size=8', 'src/server.ts'];

/** The arguments of a worker, as in `npm run start:worker` and in the image. */
export const WORKER_PROGRAM = ['--max-semi-space-size=8', 'worker/main.ts'];

/**
 * Starts a program of the checkout with the Node.js that runs this process, and prints each line of its output with its
 * name in front. It stops by itself when this process ends.
 * @param name such as `api-1`
 * @param program its path and arguments: `['worker/main.ts']`
 */
export async function spawnChild(name: string, program: string[], env: NodeJS.ProcessEnv): Promise<ManagedProcess> {
  // Node.js before 24.3 prints a warning when it runs TypeScript.
  const args = ['--disable-warning=ExperimentalWarning', ...program];
  const child = await spawnManaged({ command: process.execPath, args, env, cwd: PROJECT_ROOT });
  for (const output of child.outputs) {
    if (!output) continue;
    createInterface({ input: output }).on('line', (line) => {
      for (const shown of readable(line).split('\n')) console.log(`${name.padEnd(NAME_WIDTH)} | ${shown}`);
    });
  }
  return child;
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
