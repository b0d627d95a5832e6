// The environment of the benches: a PostgreSQL and a Redis of their own with the built-in vocabulary, the
// service's processes on demand, and services in this process, which prepare games.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { applyMigrations } from '../../src/platform/postgres/migrations.ts';
import { createServices } from '../../src/services.ts';
import { findRedis } from '../../src/tools/dev/find-redis.ts';
import { startPostgres } from '../../src/tools/dev/postgres.ts';
import { startOwnRedis, startRedisCluster } from '../support/own-servers.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';
import { type Child, startChild } from './child.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The rate limiters count as in production, but refuse nobody. */
const LIMITS = [
  ...['AUTH', 'GAME', 'LOBBY'].map((name) => `RATE_LIMIT_${name}_MAX`),
  ...['USER', 'ADDRESS'].map((name) => `SOCKETS_PER_${name}_MAX`),
];

const closers = new Set<() => Promise<void>>();

/** Closes the stages that are open, which would else outlive an interrupted bench. */
export async function closeStages(): Promise<void> {
  await Promise.all(Array.from(closers, (close) => close()));
}

/** @param options.isCluster whether Redis is a cluster of three masters instead of one server */
export async function openStage({ isCluster = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-bench-'));
  // When the bench runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true });
  const location = { folder, binary: await findRedis() };
  // One server ends the blocking commands of workers with this precision, in both contenders.
  const settings = { hz: 100 };
  const redis = isCluster ? await startRedisCluster(location) : await startOwnRedis({ ...location, settings });
  const redisServers = ('addresses' in redis ? redis.addresses() : [redis.url]).map((url) => new Redis(url));
  const databaseUrl = postgres.urlOf('quiz');
  await applyMigrations(databaseUrl);
  await loadTestVocabulary(databaseUrl);

  // Logs are written to /dev/null.
  const env = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    REDIS_CLUSTER: String(isCluster),
    BETTER_AUTH_URL: 'http://127.0.0.1:3000',
    ...Object.fromEntries(LIMITS.map((variable) => [variable, '1000000000'])),
  };
  const config = readConfig({ ...env, LOG_LEVEL: 'warn' });
  const services = createServices(config, createLogger(config.logLevel, 'bench'));
  const children: Child[] = [];
  async function start(file: string, args: string[], own: NodeJS.ProcessEnv = {}): Promise<Child> {
    const child = await startChild(file, args, { ...env, ...own });
    children.push(child);
    return child;
  }

  async function close(): Promise<void> {
    closers.delete(close);
    await Promise.all(children.map((child) => child.stop()));
    await services.stop();
    for (const server of redisServers) server.disconnect();
    await redis.dispose();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  closers.add(close);
  return {
    services,
    redisUrl: redis.url,
    /** A connection to each server of Redis. */
    redisServers,
    /** The process id of PostgreSQL's postmaster. */
    postgresPid: postgres.pid,
    /** Starts an API replica as `npm start` does. @param own overrides of its environment */
    startApi: (own?: NodeJS.ProcessEnv) => start('src/server.ts', [], own),
    /** Starts a worker as `npm run start:worker` does. */
    startWorker: () => start('worker/main.ts', []),
    /** Starts a floor, one of processes/, with the same environment. */
    startFloor: (name: string, ...args: string[]) => start(`test/bench/processes/${name}.ts`, args),
    close,
  };
}
