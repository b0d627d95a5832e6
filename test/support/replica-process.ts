// API replicas and workers as processes, for tests that measure or kill them.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices } from '../../src/services.ts';
import { API_PROGRAM } from '../../src/tools/dev/child.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { forAllTests } from './for-all-tests.ts';
import type { ProbeCommand, Usage } from './replica-probe.ts';
import { createRestartableProcess, type ProcessOptions } from './restartable-process.ts';
import { COMMON_ENV, freePorts, type StoreAddresses } from './service.ts';
import { useStores } from './stores.ts';

const PROBE = new URL('replica-probe.ts', import.meta.url).href;

export type LoggedProcess = Awaited<ReturnType<typeof startLogged>>;

/** Starts a process of the service. @param isReady throws unless the process with this log is ready */
async function startLogged(options: Omit<ProcessOptions, 'isReady'>, isReady: (log: string) => unknown) {
  const lines: string[] = [];
  const log = () => lines.join('\n');
  const onLog = (line: string) => void lines.push(line);
  const process = createRestartableProcess({ ...options, onLog, isReady: async () => void (await isReady(log())) });
  await process.start();
  return { ...process, log };
}

export type ReplicaProcess = Awaited<ReturnType<typeof startReplica>>;

/**
 * @param url the address by which clients know the service
 * @param env overrides of environment variables
 * @returns the environment of its processes, which wait for a busy machine, and refuse nobody for asking too often
 */
export const processEnv = ({ databaseUrl, redisUrl }: StoreAddresses, url: string, env: NodeJS.ProcessEnv) => ({
  ...COMMON_ENV,
  LOG_LEVEL: 'warn',
  DATA_DIR: env.DATA_DIR ?? mkdtempSync(join(inject('temporaryFolder'), 'processes-')),
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  BETTER_AUTH_URL: url,
  BETTER_AUTH_SECRET: 'a-secret-of-the-tests-that-is-long-enough',
  ...env,
});

export async function requireHealthy(url: string): Promise<void> {
  const response = await fetch(`${url}/api/health`);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

/** Starts replicas of one service as processes. @param env overrides of environment variables */
export async function startReplicaProcesses(stores: StoreAddresses, count: number, env: NodeJS.ProcessEnv = {}) {
  const ports = await freePorts(count);
  const common = processEnv(stores, `http://127.0.0.1:${ports[0]}`, env);
  const services = createServices(readConfig(common), createLogger('silent', 'test'));
  const replicas = await Promise.all(ports.map((port) => startReplica(port, common)));
  return {
    /** Services in the test's process, with which a test creates users. */
    services,
    replicas: replicas as [ReplicaProcess, ...ReplicaProcess[]],
    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await services.stop();
    },
  };
}

export function useReplicaProcesses(count: number, env?: NodeJS.ProcessEnv) {
  const stores = useStores();
  return { stores, stage: forAllTests(() => startReplicaProcesses(stores, count, env)) };
}

async function startReplica(port: number, env: NodeJS.ProcessEnv) {
  const metricsPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [nodeArgs, entry] = [API_PROGRAM.slice(0, -1), API_PROGRAM.at(-1) as string];
  let reply = Promise.withResolvers<Usage>();
  const options: Omit<ProcessOptions, 'isReady'> = {
    entry,
    nodeArgs: ['--import', PROBE, ...nodeArgs],
    env: () => ({ ...env, PORT: `${port}`, METRICS_PORT: `${metricsPort}` }),
    onMessage: (usage) => reply.resolve(usage as Usage),
    onCrash: () => reply.reject(new Error('The replica has ended.')),
  };
  const replica = await startLogged(options, () => requireHealthy(url));
  return {
    ...replica,
    url,
    /** Measures what the replica uses from `begin` to `end`, or what its heap holds. */
    probe(command: ProbeCommand): Promise<Usage> {
      reply = Promise.withResolvers();
      replica.send(command);
      return reply.promise;
    },
    async residentBytes(): Promise<number> {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
    },
  };
}

/** Starts a worker and waits until it takes jobs. @param env overrides of environment variables */
export async function startWorkerProcess(stores: StoreAddresses, env: NodeJS.ProcessEnv): Promise<LoggedProcess> {
  const own = processEnv(stores, 'http://127.0.0.1:3000', { LOG_LEVEL: 'info', ...env });
  return startLogged({ entry: 'worker/main.ts', env: () => own }, (log) => expect(log).toContain('worker ready'));
}
