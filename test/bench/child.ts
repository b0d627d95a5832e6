// Starts a process under measurement, which reports its CPU and memory on request.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { API_PROGRAM, PROJECT_ROOT } from '../../src/tools/dev/child.ts';
import { freePort } from '../../src/tools/dev/ports.ts';

export interface Memory {
  /** On and outside of the heap, after garbage collections. */
  usedBytes: number;
  /** The resident set. */
  residentBytes: number;
}

export type Child = Awaited<ReturnType<typeof startChild>>;

/** The folder into which each process writes a CPU profile; without it there is none. */
const PROFILE_DIR = process.env.BENCH_PROFILE_DIR;
const PROFILER = PROFILE_DIR ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE_DIR}`] : [];
/** V8's settings of a replica and a worker, which the floors get too. */
const FLAGS = API_PROGRAM.slice(0, -1);

/** @param file from the project's root; if it is a server, it listens on the port that its environment names */
export async function startChild(file: string, args: string[], env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const child = fork(new URL('processes/measured.ts', import.meta.url), [file, ...args], {
    cwd: PROJECT_ROOT,
    env: { ...env, PORT: String(port) },
    execArgv: ['--expose-gc', ...FLAGS, ...PROFILER],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');

  /** Requests a measurement that a program of processes/ has recorded, one after the other. */
  async function ask<T>(question: string): Promise<T> {
    const answered = once(child, 'message');
    child.send(question);
    const failed = ended.then(() => Promise.reject(new Error(`${file} has ended.`)));
    const [{ answer }] = await Promise.race([answered, failed]);
    return answer as T;
  }

  // Its first reply means that it runs.
  await ask('ready');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    /** @returns the CPU time of all its threads since its start, ms */
    cpuMs: () => ask<number>('cpuMs'),
    memory: () => ask<Memory>('memory'),
    ask,
    async stop(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) child.kill(PROFILE_DIR ? 'SIGTERM' : 'SIGKILL');
      await ended;
    },
  };
}
