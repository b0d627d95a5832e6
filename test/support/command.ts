// The programs of this project, run as processes of their own: those that go on until a test ends them, and the
// commands that people type; and the compile cache of all of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ROOT } from './sources.ts';

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of this project as a process of its own.
 * @param args what Node.js is given, such as `['src/tools/operate/operate.ts', 'inspect', code]`
 * @param env the command's whole environment
 */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<CommandOutcome> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** Runs `npm run operate` with these stores. */
export const operate = ({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string }, ...args: string[]) =>
  runCommand(['src/tools/operate/operate.ts', ...args], { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });

export type Program = ReturnType<typeof startProgram>;

/** Starts a program of this project, which goes on until a test ends it. The parameters are those of `runCommand`. */
export function startProgram(args: string[], env: NodeJS.ProcessEnv, command = process.execPath) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...COMPILE_CACHE, PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      log += part;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid as number,
    /** @returns everything that it has written */
    log: () => log,
    /** The exit code, or null if a signal has ended it. */
    ended,
    /** Sends a signal, unless it has ended. @returns as `ended` */
    end(signal: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}

// Programs that tests start share a compile cache, so that a start takes a third less CPU time.
// https://nodejs.org/api/module.html#module-compile-cache

/** The environment variable of a program. Node.js compares the source's hash, so that it uses no stale entry. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
};
