// The stores of the local stack: the user's own where named, embedded ones otherwise.
import { join } from 'node:path';
import { findRedis } from './find-redis.ts';
import { type KeeperEvents, type Kept, keepRunning } from './keep-running.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { type EmbeddedRedis, startRedis } from './redis.ts';
import type { Reporter } from './reporter.ts';
import type { Settings } from './settings.ts';

const DATABASE = 'vocabulary_quiz';

export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Undefined when it isn't ours, or is down at the moment. */
  postgresPid(): number | undefined;
  redisPid(): number | undefined;
  stop(): Promise<void>;
  /** SIGKILL to both, at once. */
  kill(): void;
}

/**
 * Starts the stores that are not named by the user; both at once, as neither needs the other.
 * @param signal ends waiting for a download
 */
export async function startLocalStores(
  { dataDir, env }: Settings,
  reporter: Reporter,
  events: KeeperEvents,
  signal: AbortSignal,
): Promise<Stores> {
  const starting = [
    env.REDIS_URL ? undefined : keepRedis(dataDir, env, reporter, events, signal),
    env.DATABASE_URL ? undefined : keepPostgres(dataDir, reporter, events),
  ] as const;
  const results = await Promise.allSettled(starting);
  const kept = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  async function stop(): Promise<void> {
    for (const server of kept) await server?.stop();
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
      for (const server of kept) server?.kill();
    },
  };
}

async function keepPostgres(
  dataDir: string,
  reporter: Reporter,
  events: KeeperEvents,
): Promise<Kept<EmbeddedPostgres>> {
  const step = reporter.step('PostgreSQL');
  const options = { dataDir: join(dataDir, 'postgres'), durable: true };
  const start = (first?: EmbeddedPostgres) => startPostgres({ ...options, port: first?.port });
  const kept = await keepRunning('PostgreSQL', start, events);
  step(`127.0.0.1:${kept.first.port}`);
  return kept;
}

async function keepRedis(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  reporter: Reporter,
  events: KeeperEvents,
  signal: AbortSignal,
): Promise<Kept<EmbeddedRedis>> {
  const step = reporter.step('Redis');
  const binary = await findRedis(env, reporter.line, signal);
  const options = { dataDir: join(dataDir, 'redis'), persist: true, binary };
  const start = (first?: EmbeddedRedis) => startRedis({ ...options, port: first?.port });
  const kept = await keepRunning('Redis', start, events);
  step(`127.0.0.1:${kept.first.port}, version ${binary.version}`);
  return kept;
}
