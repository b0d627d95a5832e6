// The service as it runs in production: replicas and workers as processes, a balancer in front.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { freePort } from '../../src/local-stack/ports.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createServices, type Services } from '../../src/services.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { eventually } from './eventually.ts';
import { startHaproxy } from './haproxy.ts';
import { startStores, type TestStores } from './stores.ts';
import { loadTestVocabulary } from './vocabulary.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A process of the fleet that a test may kill and bring back. */
export interface Member {
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
  start(): Promise<void>;
}

export interface Fleet {
  url: string;
  stores: TestStores;
  /** For the test's own needs: users, commands. */
  services: Services;
  replicas: Member[];
  workers: Member[];
  stop(): Promise<void>;
}

/** Two replicas, two workers. @param env overrides of their environment */
export async function startFleet(env: NodeJS.ProcessEnv = {}): Promise<Fleet> {
  const stores = await startStores();
  await loadTestVocabulary(stores.databaseUrl);
  const ports = [await freePort(), await freePort()];
  const start = process.env.FLEET_BALANCER === 'haproxy' ? startHaproxy : startBalancer;
  const balancer: Balancer = await start(ports);
  const common = {
    ...{ NODE_ENV: 'test', HOST: '127.0.0.1', METRICS_PORT: '0', LOG_LEVEL: 'warn' },
    DATA_DIR: mkdtempSync(join(inject('temporaryFolder'), 'fleet-')),
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    BETTER_AUTH_URL: balancer.url,
    BETTER_AUTH_SECRET: 'a secret of forty characters for the fleet',
    ...{ RATE_LIMIT_LOBBY_MAX: '100000', RATE_LIMIT_GAME_MAX: '100000' },
    ...env,
  };
  const config: Config = readConfig({ ...common, PORT: '0' });
  const services = createServices(config, createLogger('silent', 'test'));
  const replicas = ports.map((port) =>
    createMember('src/server.ts', { ...common, PORT: String(port) }, () => isHealthy(port)),
  );
  const workers = [0, 1].map(() => createMember('worker/main.ts', common, async () => {}));
  await Promise.all([...replicas, ...workers].map((member) => member.start()));
  return {
    url: balancer.url,
    stores,
    services,
    replicas,
    workers,
    async stop() {
      await Promise.all([...replicas, ...workers].map((member) => member.kill()));
      await balancer.stop();
      await services.stop();
      await stores.stop();
    },
  };
}

async function isHealthy(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/health`);
  if (!response.ok) throw new Error(`replica on ${port} answers ${response.status}`);
}

function createMember(entry: string, env: NodeJS.ProcessEnv, isReady: () => Promise<void>): Member {
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(null);
  return {
    async start() {
      const started = spawn(process.execPath, [join(ROOT, entry)], {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', process.env.FLEET_LOGS ? 'inherit' : 'ignore', 'inherit'],
      });
      child = started;
      ended = new Promise((resolve) => started.once('exit', resolve));
      await eventually(isReady, { timeoutMs: 90_000, intervalMs: 50 });
    },
    async kill() {
      child?.kill('SIGKILL');
      await ended;
    },
    stop() {
      child?.kill('SIGTERM');
      return ended;
    },
  };
}
