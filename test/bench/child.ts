// A process under measurement: it says what it has used whenever it is asked.
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a process has used since it was started. */
export interface Usage {
  /** Of all its threads. */
  cpuMs: number;
  /** On the heap and beside it, after a garbage collection. */
  usedBytes: number;
  /** What the kernel has given it. */
  residentBytes: number;
}

export interface Child {
  usage(): Promise<Usage>;
  /** Asks one of processes/ for what it has noted. */
  ask<T>(question: string): Promise<T>;
  stop(): Promise<void>;
}

/** @param file from the project's root; @param args what it finds in `process.argv` after its name */
export async function startChild(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Child> {
  const child = fork(new URL('processes/measured.ts', import.meta.url), [file, ...args], {
    cwd: new URL('../..', import.meta.url).pathname,
    env,
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const pending = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    pending.get(id)?.(answer);
    pending.delete(id);
  });

  async function ask<T>(question: string): Promise<T> {
    const id = ++asked;
    const answered = new Promise<unknown>((resolve) => pending.set(id, resolve));
    child.send({ id, question });
    const failed = ended.then(() => Promise.reject(new Error(`${file} has ended.`)));
    return (await Promise.race([answered, failed])) as T;
  }

  // Its first answer says that it runs.
  await ask('ready');
  return {
    usage: () => ask<Usage>('usage'),
    ask,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
