// Runs the real service in the test's process: everything that src/server.ts starts, without signal handlers.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createServices } from '../../src/services.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { forAllTests } from './for-all-tests.ts';
import { STORE_PATIENCE_MS, useStores } from './stores.ts';
import { startProxyOf } from './tcp-proxy.ts';

/** The addresses of stores that a service needs: those of `startStores()`, or of proxies. */
export interface StoreAddresses {
  databaseUrl: string;
  redisUrl: string;
  isCluster?: boolean;
}

export type TestService = Awaited<ReturnType<typeof startReplica>>;

export type Replicas = [TestService, ...TestService[]];

interface ServiceOptions {
  hasWords?: boolean;
  /** As for `startReplicas`. */
  log?: NodeJS.WritableStream;
}

/** Starts a service with its own stores for all tests of a file, usable once its first `beforeAll` has run. */
export function useService(env?: NodeJS.ProcessEnv, options?: ServiceOptions) {
  const { replicas, stores } = useReplicas(1, env, options);
  return { service: replicas[0], stores };
}

/** Starts replicas of one service as `useService` does. */
export function useReplicas(count: number, env?: NodeJS.ProcessEnv, options: ServiceOptions = {}) {
  const stores = useStores(options);
  const replicas = Array.from({ length: count }, () => ({})) as Replicas;
  beforeAll(async () => {
    const started = await startReplicas(stores, count, env, options.log);
    for (const [at, replica] of replicas.entries()) Object.assign(replica, started[at]);
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
  });
  return { replicas, stores };
}

/** The environment of replicas that give up on a store as soon as in production. */
export const SHORT_OUTAGES = { STORE_TIMEOUT_MS: '1000' };

/** The environment of all processes and replicas: limits that nobody reaches, and patience with a busy machine. */
export const COMMON_ENV = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  METRICS_PORT: '0',
  PASSWORD_HASH_COST: '16',
  RATE_LIMIT_GAME_MAX: '1000000',
  RATE_LIMIT_LOBBY_MAX: '1000000',
  BUSY_AFTER_MS: '1000000',
  STORE_TIMEOUT_MS: String(STORE_PATIENCE_MS),
};

export async function freePorts(count: number): Promise<number[]> {
  const first = await freePort(count);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Starts one replica. See `startReplicas`. */
export async function startService(stores: StoreAddresses, env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  return (await startReplicas(stores, 1, env))[0];
}

/**
 * Starts replicas of one service, which share the secret, the outbox, and the first one's address as BETTER_AUTH_URL.
 * Their rate limits are too high to reach, they wait for their stores ten times as long as usual, since a busy machine
 * may stall for seconds, and they log nothing. Tests of outages set `SHORT_OUTAGES`.
 * @param env overrides of environment variables; its CORS_ORIGIN is added to the replicas' own origins
 * @param log the stream of the log lines, which LOG_LEVEL in `env` has to enable; by default standard output
 */
export async function startReplicas(
  { databaseUrl, redisUrl, isCluster = false }: StoreAddresses,
  count: number,
  env: NodeJS.ProcessEnv = {},
  log?: NodeJS.WritableStream,
): Promise<Replicas> {
  const dataDir = mkdtempSync(join(inject('temporaryFolder'), 'service-'));
  const ports = await freePorts(count);
  const common = {
    ...COMMON_ENV,
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    MAIL_OUTBOX: join(dataDir, 'outbox.jsonl'),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_CLUSTER: String(isCluster),
    BETTER_AUTH_URL: `http://127.0.0.1:${ports[0]}`,
    RATE_LIMIT_AUTH_MAX: '1000000',
    RATE_LIMIT_EXPORT_MAX: '1000000',
    RATE_LIMIT_CODE_MISS_MAX: '1000000',
    SOCKETS_PER_USER_MAX: '1000000',
    SOCKETS_PER_ADDRESS_MAX: '1000000',
    RATE_LIMIT_MAIL_MAX: '1000000',
  };
  // Each replica also serves the page, as in `npm run dev`.
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const CORS_ORIGIN = [...origins, env.CORS_ORIGIN ?? []].flat().join(',');
  const replicas: TestService[] = [];
  for (const port of ports) {
    const config = readConfig({ ...common, PORT: `${port}`, ...env, CORS_ORIGIN });
    replicas.push(await startReplica(config, log));
  }
  return replicas as Replicas;
}

async function startReplica(config: Config, log?: NodeJS.WritableStream) {
  const services = createServices(config, createLogger(config.logLevel, 'api', log));
  const app = await buildApp(services);
  await app.listen({ port: config.port, host: config.host });
  return {
    url: `http://${config.host}:${config.port}`,
    app,
    services,
    config,
    async stop(): Promise<void> {
      await app.close();
      await services.stop();
    },
  };
}

/** A service for all tests of a file that reaches its stores through proxies, so that a test can cut it off. */
export function useProxiedService(options: { hasWords?: boolean } = {}) {
  const stores = useStores(options);
  const postgres = useProxy(() => stores.databaseUrl);
  const redis = useProxy(() => stores.redisUrl);
  const addresses = () => ({ databaseUrl: postgres.through, redisUrl: redis.through });
  const service = forAllTests(() => startService(addresses(), SHORT_OUTAGES));
  return { stores, postgres, redis, service };
}

/** Starts a proxy in front of the server of an address for all tests of a file; `through` is the address by it. */
export const useProxy = (address: () => string) =>
  forAllTests(async () => {
    const { proxy, url: through } = await startProxyOf(address());
    return { ...proxy, through };
  });
