// Where the benches play: a PostgreSQL and a Redis of their own with the built-in vocabulary, the
// service's processes on demand, and this process's own hands on the stores, to prepare games with.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { API_PROGRAM } from '../../src/local-stack/child.ts';
import { freePort } from '../../src/local-stack/ports.ts';
import { startPostgres } from '../../src/local-stack/postgres.ts';
import { startRedis } from '../../src/local-stack/redis.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { createServices, type Services } from '../../src/services.ts';
import { loadTestVocabulary } from '../support/vocabulary.ts';
import { type Child, startChild } from './child.ts';

export interface Stage {
  services: Services;
  databaseUrl: string;
  redisUrl: string;
  /** Of PostgreSQL's first process. */
  postgresPid: number;
  /** An API replica, as `npm start` runs it. @param env overrides of its environment */
  startApi(env?: NodeJS.ProcessEnv): Promise<Child & { url: string }>;
  /** As `startApi`, of a replica that counts what it asks of the stores: processes/counted.ts. */
  startCountedApi(): Promise<Child & { url: string }>;
  /** A worker, as `npm run start:worker` runs it. */
  startWorker(): Promise<Child>;
  /** One of processes/, which does the least that would do. @param args what it gets */
  startFloor(name: string, ...args: string[]): Promise<Child>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'quiz-bench-'));
  // PostgreSQL runs as another user when this runs as root.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true });
  const redis = await startRedis({
    dataDir: join(folder, 'redis'),
    persist: true,
    // So often a second it ends the waits of BullMQ's own workers, the floor's; ours wait without it.
    settings: { hz: 100 },
  });
  const databaseUrl = postgres.urlOf('quiz');
  await applyMigrations(databaseUrl);
  await loadTestVocabulary(databaseUrl);

  // The limiters count as ever, but refuse nobody. Logs are written as ever, to nowhere.
  const env = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
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
  const children = new Set<Child>();
  const keep = <C extends Child>(child: C): C => {
    children.add(child);
    return child;
  };
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await Promise.all([...children].map((child) => child.stop()));
    await services.stop();
    await redis.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async function startServer(file: string, args: string[], own: NodeJS.ProcessEnv = {}) {
    const port = await freePort();
    const childEnv = { ...env, PORT: String(port), ...own };
    const child = keep(await startChild(file, args, childEnv, API_PROGRAM.slice(0, -1)));
    return { ...child, url: `http://127.0.0.1:${port}` };
  }

  return {
    services,
    databaseUrl,
    redisUrl: redis.url,
    postgresPid: postgres.pid,
    startApi: (own) => startServer('src/server.ts', [], own),
    startCountedApi: () => startServer('test/bench/processes/counted.ts', ['src/server.ts']),
    startWorker: async () => keep(await startChild('worker/main.ts', [], env)),
    startFloor: async (name, ...args) =>
      keep(await startChild(`test/bench/processes/${name}.ts`, args, env)),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
