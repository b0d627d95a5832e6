// An API replica as a process, for tests that measure or kill it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices, type Services } from '../../src/services.ts';
import { API_PROGRAM, PROJECT_ROOT } from '../../src/tools/dev/child.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { COMPILE_CACHE } from './command.ts';
import { eventually } from './eventually.ts';
import type { ProbeCommand, Usage } from './replica-probe.ts';
import type { StoreAddresses } from './service.ts';
import { STORE_PATIENCE_MS, startStores, type TestStores } from './stores.ts';

const PROBE = new URL('replica-probe.ts', import.meta.url).href;

export interface ReplicaProcess {
  url: string;
  /** Measures what the replica uses from `begin` to `end`, or what its heap holds. */
  probe(command: ProbeCommand): Promise<Usage>;
  /** @returns everything that it has logged */
  log(): string;
  /** @returns the resident memory of the process */
  residentBytes(): Promise<number>;
  /** Sends a signal that does not end the process. */
  send(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** @returns the exit code, or null if a signal ended the process */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ReplicaStage {
  /** Services in the test's process, with which a test creates users. */
  services: Services;
  replicas: ReplicaProcess[];
  stop(): Promise<void>;
}

/** Starts replicas of one service as processes. @param env overrides of environment variables */
export async function startReplicaProcesses(
  { databaseUrl, redisUrl }: StoreAddresses,
  count: number,
  env: NodeJS.ProcessEnv = {},
): Promise<ReplicaStage> {
  const ports: number[] = [];
  for (let index = 0; index < count; index++) ports.push(await freePort());
  const common = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATA_DIR: mkdtempSync(join(inject('temporaryFolder'), 'replicas-')),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    BETTER_AUTH_URL: `http://127.0.0.1:${ports[0]}`,
    BETTER_AUTH_SECRET: 'a-secret-of-the-tests-that-is-long-enough',
    BUSY_AFTER_MS: '1000000',
    STORE_TIMEOUT_MS: String(STORE_PATIENCE_MS),
    PASSWORD_HASH_COST: '16',
    RATE_LIMIT_LOBBY_MAX: '1000000',
    RATE_LIMIT_GAME_MAX: '1000000',
    ...env,
  };
  const services = createServices(readConfig(common), createLogger('silent', 'test'));
  const replicas = await Promise.all(ports.map((port) => startReplica(port, common)));
  return {
    services,
    replicas,
    async stop() {
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      await services.stop();
    },
  };
}

/** Starts replicas as processes, with stores of their own, for all tests of a file. */
export function useReplicaProcesses(
  count: number,
  env?: NodeJS.ProcessEnv,
): { stores: TestStores; stage: ReplicaStage } {
  const [stores, stage] = [{}, {}] as [TestStores, ReplicaStage];
  beforeAll(async () => {
    Object.assign(stores, await startStores());
    Object.assign(stage, await startReplicaProcesses(stores, count, env));
  });
  afterAll(async () => {
    await stage.stop();
    await stores.stop();
  });
  return { stores, stage };
}

async function startReplica(port: number, env: NodeJS.ProcessEnv): Promise<ReplicaProcess> {
  const metricsPort = await freePort();
  const child = spawn(process.execPath, ['--import', PROBE, ...API_PROGRAM], {
    cwd: PROJECT_ROOT,
    env: { ...COMPILE_CACHE, PATH: process.env.PATH, ...env, PORT: `${port}`, METRICS_PORT: `${metricsPort}` },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let log = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    async () => {
      if (!(await fetch(`${url}/api/health`)).ok) throw new Error(`${url} is not healthy`);
    },
    { timeoutMs: 90_000, intervalMs: 50 },
  );
  return {
    url,
    async probe(command) {
      const reply = once(child, 'message') as Promise<[Usage]>;
      child.send(command);
      const [usage] = await Promise.race([
        reply,
        ended.then(() => Promise.reject(new Error('The replica has ended.'))),
      ]);
      return usage;
    },
    log: () => log,
    async residentBytes() {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
    },
    send: (signal) => void child.kill(signal),
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

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
      STORE_TIMEOUT_MS: String(STORE_PATIENCE_MS),
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
