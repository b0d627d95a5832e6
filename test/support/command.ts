// The programs of this project, run as processes of their own: those that go on until a test ends them, and the
// commands that people type; and the compile cache of all of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ROOT } from './sources.ts';

export type CommandOutcome = Awaited<ReturnType<typeof runCommand>>;

/**
 * Runs a command of this project to its end.
 * @param args what Node.js is given, such as `['src/tools/operate/operate.ts', 'inspect', code]`
 * @param env the command's whole environment
 */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv) {
  const { ended, written, stdin } = startProgram(args, env);
  stdin.end();
  return { code: await ended, ...written };
}

export const operate = ({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string }, ...args: string[]) =>
  runCommand(['src/tools/operate/operate.ts', ...args], { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });

export type Program = ReturnType<typeof startProgram>;

/** Starts a program of this project, which goes on until a test ends it. The parameters are those of `runCommand`. */
export function startProgram(args: string[], env: NodeJS.ProcessEnv, command = process.execPath) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...COMPILE_CACHE, PATH: process.env.PATH, ...env } });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (part: string) => {
      written[stream] += part;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid as number,
    written,
    log: () => written.stdout + written.stderr,
    /** Writes to its standard input, which stays open. */
    stdin: child.stdin,
    /** The exit code, or null if a signal has ended it. */
    ended,
    /** Sends a signal, unless it has ended. @returns as `ended` */
    end(signal: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}

/**
 * Programs that tests start share a compile cache, so that a start takes a third less CPU time. Node.js compares the
 * source's hash, so that it uses no stale entry. https://nodejs.org/api/module.html#module-compile-cache
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
};
