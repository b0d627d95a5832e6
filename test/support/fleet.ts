// A fleet is the service as in production: processes of replicas and workers, behind a load balancer.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices, type Services } from '../../src/services.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { type Balancer, startBalancer, startHaproxy } from './balancer.ts';
import { eventually } from './eventually.ts';
import { createRestartableProcess, type RestartableProcess } from './restartable-process.ts';
import { STORE_PATIENCE_MS, startStores, type TestStores } from './stores.ts';

export interface Fleet {
  url: string;
  stores: TestStores;
  /** Services in the test's process, with which a test creates users and runs commands. */
  services: Services;
  replicas: RestartableProcess[];
  workers: RestartableProcess[];
  stop(): Promise<void>;
}

/**
 * Starts replicas and as many workers.
 * @param env overrides of their environment variables
 * @param size the number of replicas, which is that of workers too
 */
export async function startFleet(env: NodeJS.ProcessEnv = {}, size = 2): Promise<Fleet> {
  const stores = await startStores({ hasWords: true });
  const ports: number[] = [];
  for (let index = 0; index < size; index++) ports.push(await freePort());
  // A machine that runs other tests as well is slow, which is no reason to cut sockets here.
  const start = process.env.FLEET_BALANCER === 'haproxy' ? (on: number[]) => startHaproxy(on, '10s') : startBalancer;
  const balancer: Balancer = await start(ports);
  const common = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: mkdtempSync(join(inject('temporaryFolder'), 'fleet-')),
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    BETTER_AUTH_URL: balancer.url,
    BETTER_AUTH_SECRET: 'a secret of forty characters for the fleet',
    PASSWORD_HASH_COST: '16',
    // A machine that runs other tests as well is slow, which is no reason for a 503 here.
    BUSY_AFTER_MS: '1000000',
    STORE_TIMEOUT_MS: String(STORE_PATIENCE_MS),
    RATE_LIMIT_LOBBY_MAX: '100000',
    RATE_LIMIT_GAME_MAX: '100000',
    ...env,
  };
  const config: Config = readConfig({ ...common, PORT: '0' });
  const services = createServices(config, createLogger('silent', 'test'));
  const replicas = ports.map((port) =>
    createRestartableProcess({
      entry: 'src/server.ts',
      env: () => ({ ...common, PORT: String(port) }),
      isReady: () => isHealthy(`http://127.0.0.1:${port}`),
    }),
  );
  const workers = ports.map(() =>
    createRestartableProcess({ entry: 'worker/main.ts', env: () => common, isReady: async () => {} }),
  );
  await Promise.all([...replicas, ...workers].map((one) => one.start()));
  // The balancer notices a replica that has started at its next check.
  await eventually(() => isHealthy(balancer.url));
  return {
    url: balancer.url,
    stores,
    services,
    replicas,
    workers,
    async stop() {
      await Promise.all([...replicas, ...workers].map((one) => one.kill()));
      await balancer.stop();
      await services.stop();
      await stores.stop();
    },
  };
}

async function isHealthy(url: string): Promise<void> {
  const response = await fetch(`${url}/api/health`);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}
