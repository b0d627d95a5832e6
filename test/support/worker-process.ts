// A worker as a process, for tests that send signals to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { COMPILE_CACHE } from './compile-cache.ts';
import type { StoreAddresses } from './service.ts';

export interface WorkerProcess {
  /** @returns everything that it has logged */
  log(): string;
  /** @returns the exit code, or null if a signal ended the process */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a worker and waits until it takes jobs. @param env overrides of environment variables */
export async function startWorkerProcess(
  { databaseUrl, redisUrl }: StoreAddresses,
  env: NodeJS.ProcessEnv,
): Promise<WorkerProcess> {
  const worker = spawn(process.execPath, ['worker/main.ts'], {
    env: {
      ...COMPILE_CACHE,
      NODE_ENV: 'test',
      METRICS_PORT: '0',
      BETTER_AUTH_SECRET: 'a-secret-of-the-tests-that-is-long-enough',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  worker.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await readiness(worker, () => log);
  return {
    log: () => log,
    async end(signal) {
      if (worker.exitCode !== null || worker.signalCode !== null) return worker.exitCode;
      const ended = once(worker, 'exit');
      worker.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

async function readiness(worker: ChildProcess, log: () => string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.stdout?.on('data', () => log().includes('worker ready') && resolve());
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error(`The worker ended before it was ready:\n${log()}`)));
  await promise;
}
