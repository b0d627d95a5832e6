// The environment of the benches: a PostgreSQL and a Redis of their own with the built-in vocabulary, the
// service's processes on demand, and services in this process, which prepare games.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { applyMigrations } from '../../src/platform/postgres/migrations.ts';
import { createServices, type Services } from '../../src/services.ts';
import { API_PROGRAM } from '../../src/tools/dev/child.ts';
import { findRedis } from '../../src/tools/dev/find-redis.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { startPostgres } from '../../src/tools/dev/postgres.ts';
import { startRedis } from '../../src/tools/dev/redis.ts';
import { type RedisCluster, startRedisCluster } from '../support/own-servers.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';
import { type Child, startChild } from './child.ts';

export interface Stage {
  services: Services;
  databaseUrl: string;
  redisUrl: string;
  /** A connection to each server of Redis. */
  redisServers: readonly Redis[];
  /** The process id of PostgreSQL's postmaster. */
  postgresPid: number;
  /** Starts an API replica as `npm start` does. @param env overrides of its environment */
  startApi(env?: NodeJS.ProcessEnv): Promise<Child & { url: string }>;
  /** Starts a worker as `npm run start:worker` does. */
  startWorker(): Promise<Child>;
  /** Starts a floor, one of processes/. */
  startFloor(name: string, ...args: string[]): Promise<Child>;
  close(): Promise<void>;
}

const openStages = new Set<Stage>();

/** Closes the stages that are open, which would else outlive an interrupted bench. */
export async function closeStages(): Promise<void> {
  await Promise.all(Array.from(openStages, (stage) => stage.close()));
}

/** @param options.isCluster whether Redis is a cluster of three masters instead of one server */
export async function openStage({ isCluster = false } = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-bench-'));
  // When the bench runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true });
  const redis = isCluster ? await startRedisCluster({ folder, binary: await findRedis() }) : await startSingle(folder);
  const redisServers = redis.addresses().map((url) => new Redis(url));
  const databaseUrl = postgres.urlOf('quiz');
  await applyMigrations(databaseUrl);
  await loadTestVocabulary(databaseUrl);

  // The rate limiters count as in production, but refuse nobody. Logs are written to /dev/null.
  const env = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.nodes,
    REDIS_CLUSTER: String(isCluster),
    BETTER_AUTH_URL: 'http://127.0.0.1:3000',
    ...Object.fromEntries(
      [
        ...['AUTH', 'GAME', 'LOBBY'].map((name) => `RATE_LIMIT_${name}_MAX`),
        ...['USER', 'ADDRESS'].map((name) => `SOCKETS_PER_${name}_MAX`),
      ].map((variable) => [variable, '1000000000']),
    ),
  };
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  const services = createServices(config, createLogger(config.logLevel, 'bench'));
  /** V8's settings of a replica and a worker, which the floors get too. */
  const flags = API_PROGRAM.slice(0, -1);
  const children = new Set<Child>();
  const keep = <C extends Child>(child: C): C => {
    children.add(child);
    return child;
  };
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await Promise.all([...children].map((child) => child.stop()));
    await services.stop();
    for (const server of redisServers) server.disconnect();
    await redis.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async function startServer(file: string, args: string[], own: NodeJS.ProcessEnv = {}) {
    const port = await freePort();
    const childEnv = { ...env, PORT: String(port), ...own };
    const child = keep(await startChild(file, args, childEnv, flags));
    return { ...child, url: `http://127.0.0.1:${port}` };
  }

  const stage: Stage = {
    services,
    databaseUrl,
    redisUrl: redis.nodes,
    redisServers,
    postgresPid: postgres.pid,
    startApi: (own) => startServer('src/server.ts', [], own),
    startWorker: async () => keep(await startChild('worker/main.ts', [], env, flags)),
    startFloor: async (name, ...args) => keep(await startChild(`test/bench/processes/${name}.ts`, args, env, flags)),
    close: () => {
      openStages.delete(stage);
      closing ??= close();
      return closing;
    },
  };
  openStages.add(stage);
  return stage;
}

async function startSingle(folder: string): Promise<Pick<RedisCluster, 'nodes' | 'addresses' | 'stop'>> {
  const { url, stop } = await startRedis({
    dataDir: join(folder, 'redis'),
    persist: true,
    // Redis ends the blocking commands of workers with this precision, in both contenders.
    settings: { hz: 100 },
  });
  return { nodes: url, addresses: () => [url], stop: async () => void (await stop()) };
}
