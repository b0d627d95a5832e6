// The stores of the local stack: the user's own where named, embedded ones otherwise.
import { join } from 'node:path';
import { findRedis } from './find-redis.ts';
import { type KeptServer, keepRunning } from './keep-running.ts';
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
 * @param onChange is called whenever a pid has changed
 * @param signal ends waiting for a download
 */
export async function startLocalStores(
  settings: Settings,
  reporter: Reporter,
  onChange: () => void,
  signal: AbortSignal,
): Promise<Stores> {
  const starting = [
    settings.databaseUrl ? undefined : keepPostgres(settings, reporter, onChange),
    settings.redisUrl ? undefined : keepRedis(settings, reporter, onChange, signal),
  ] as const;
  const [postgres, redis] = await Promise.allSettled(starting);
  const kept = [ifStarted(redis), ifStarted(postgres)];
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await Promise.all(kept.map((server) => server?.stop()));
    throw postgres.status === 'rejected'
      ? postgres.reason
      : (redis as PromiseRejectedResult).reason;
  }
  return {
    databaseUrl: settings.databaseUrl ?? (postgres.value?.first.urlOf(DATABASE) as string),
    redisUrl: settings.redisUrl ?? (redis.value?.first.url as string),
    postgresPid: () => postgres.value?.pid(),
    redisPid: () => redis.value?.pid(),
    async stop() {
      for (const server of kept) await server?.stop();
    },
    kill() {
      for (const server of kept) server?.kill();
    },
  };
}

function ifStarted<T>(result: PromiseSettledResult<T>): T | undefined {
  return result.status === 'fulfilled' ? result.value : undefined;
}

async function keepPostgres(
  { dataDir }: Settings,
  reporter: Reporter,
  onChange: () => void,
): Promise<KeptServer<EmbeddedPostgres>> {
  const step = reporter.step('PostgreSQL');
  const folder = join(dataDir, 'postgres');
  const kept = await keepRunning(
    (port) => startPostgres({ dataDir: folder, durable: true, ...(port && { port }) }),
    (event, detail) => {
      reporter.line(`PostgreSQL ${event}: ${detail}`);
      onChange();
    },
  );
  step(`127.0.0.1:${kept.first.port}`);
  return kept;
}

async function keepRedis(
  { dataDir, env }: Settings,
  reporter: Reporter,
  onChange: () => void,
  signal: AbortSignal,
): Promise<KeptServer<EmbeddedRedis>> {
  const step = reporter.step('Redis');
  const binary = await findRedis(env, reporter.line, signal);
  const folder = join(dataDir, 'redis');
  const kept = await keepRunning(
    (port) => startRedis({ dataDir: folder, persist: true, binary, ...(port && { port }) }),
    (event, detail) => {
      reporter.line(`Redis ${event}: ${detail}`);
      onChange();
    },
  );
  step(`127.0.0.1:${kept.first.port}, version ${binary.version}`);
  return kept;
}
