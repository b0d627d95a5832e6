// Starts the stores of the local stack. A store that the environment names is used instead of an embedded one.
import { join } from 'node:path';
import { findRedis } from './find-redis.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { type EmbeddedRedis, startRedis } from './redis.ts';
import type { Reporter } from './reporter.ts';
import type { Settings } from './settings.ts';
import { type Supervised, type SupervisorEvents, supervise } from './supervise.ts';

const DATABASE = 'vocabulary_quiz';

export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Undefined when the store is the user's own, or is down at the moment. */
  postgresPid(): number | undefined;
  redisPid(): number | undefined;
  stop(): Promise<void>;
  /** Sends SIGKILL to both. */
  kill(): void;
}

/**
 * Starts the stores that the environment does not name, both at the same time.
 * @param signal aborts a download
 */
export async function startLocalStores(
  { dataDir, env }: Settings,
  reporter: Reporter,
  events: SupervisorEvents,
  signal: AbortSignal,
): Promise<Stores> {
  const starting = [
    env.REDIS_URL ? undefined : superviseRedis(dataDir, env, reporter, events, signal),
    env.DATABASE_URL ? undefined : supervisePostgres(dataDir, reporter, events),
  ] as const;
  const results = await Promise.allSettled(starting);
  const servers = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  async function stop(): Promise<void> {
    for (const server of servers) await server?.stop();
  }
  const [redis, postgres] = await Promise.all(starting).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    databaseUrl: env.DATABASE_URL ?? (postgres?.first.urlOf(DATABASE) as string),
    redisUrl: env.REDIS_URL ?? (redis?.first.url as string),
    postgresPid: () => postgres?.pid(),
    redisPid: () => redis?.pid(),
    stop,
    kill() {
      for (const server of servers) server?.kill();
    },
  };
}

async function supervisePostgres(
  dataDir: string,
  reporter: Reporter,
  events: SupervisorEvents,
): Promise<Supervised<EmbeddedPostgres>> {
  const step = reporter.step('PostgreSQL');
  const options = { dataDir: join(dataDir, 'postgres'), durable: true };
  const start = (first?: EmbeddedPostgres) => startPostgres({ ...options, port: first?.port });
  const server = await supervise('PostgreSQL', start, events);
  step(`127.0.0.1:${server.first.port}`);
  return server;
}

async function superviseRedis(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  reporter: Reporter,
  events: SupervisorEvents,
  signal: AbortSignal,
): Promise<Supervised<EmbeddedRedis>> {
  const step = reporter.step('Redis');
  const binary = await findRedis(env, reporter.line, signal);
  const options = { dataDir: join(dataDir, 'redis'), persist: true, binary };
  const start = (first?: EmbeddedRedis) => startRedis({ ...options, port: first?.port });
  const server = await supervise('Redis', start, events);
  step(`127.0.0.1:${server.first.port}, version ${binary.version}`);
  return server;
}
