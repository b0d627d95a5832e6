// Runs the service on a restored database: one replica and one worker, as processes on free ports. They
// inherit nothing of this shell's environment, so that they send no email and use no other Redis.
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findRedis } from '../../src/tools/dev/find-redis.ts';
import { freePort } from '../../src/tools/dev/ports.ts';
import { type EmbeddedRedis, startRedis } from '../../src/tools/dev/redis.ts';
import { createRestartableProcess } from '../support/restartable-process.ts';
import { RehearsalError } from './database.ts';

/** A Redis of the rehearsal, which is empty again when it has stopped. */
type OwnRedis = Pick<EmbeddedRedis, 'url' | 'stop'>;

export type Stage = Awaited<ReturnType<typeof createStage>>;

/** Starts a Redis of the rehearsal's own. */
export async function startOwnRedis(folder: string): Promise<OwnRedis> {
  const dataDir = join(folder, 'redis');
  const binary = await findRedis().catch((error: Error) => {
    throw new RehearsalError(error.message, { cause: error });
  });
  return startRedis({ dataDir, binary, persist: false });
}

/**
 * Uses a Redis that the operator has started for the rehearsal.
 * @throws RehearsalError when it does not answer or is not empty, since it may be the one in production
 */
export async function takeRedis(url: string): Promise<OwnRedis> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 5000 });
  let reason = 'it closes the connection';
  redis.on('error', ({ message }) => {
    reason = message;
  });
  try {
    await redis.connect();
    const keys = await redis.dbsize();
    const stop = () => redis.flushdb().then(() => redis.disconnect());
    if (keys === 0) return { url, stop };
    throw new RehearsalError(`The Redis at --redis has ${keys} keys: name an empty one, never that of production.`);
  } catch (error) {
    redis.disconnect();
    if (error instanceof RehearsalError) throw error;
    throw new RehearsalError(`The Redis at --redis can't be reached: ${reason}.`, { cause: error });
  }
}

/** Chooses the ports; it starts no process yet. */
export async function createStage(databaseUrl: string, redisUrl: string, folder: string) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const outbox = join(folder, 'outbox.jsonl');
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const env = {
    ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DATA_DIR: folder,
    MAIL_OUTBOX: outbox,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    BETTER_AUTH_URL: url,
    BETTER_AUTH_SECRET: crypto.randomUUID() + crypto.randomUUID(),
  };
  const metricsUrl = `http://127.0.0.1:${await freePort()}`;
  const ports = { PORT: new URL(url).port, METRICS_PORT: new URL(metricsUrl).port };
  const both = [
    createProcess('src/server.ts', `${url}/api/health`, { ...env, ...ports, METRICS_PORT: '0' }),
    createProcess('worker/main.ts', `${metricsUrl}/live`, { ...env, ...ports }),
  ];
  return {
    url,
    /** The file that emails are written to. */
    outbox,
    /** Starts both processes, and waits until they are healthy. */
    start: async () => void (await Promise.all(both.map((member) => member.start()))),
    stop: async () => void (await Promise.all(both.map((member) => member.stop()))),
  };
}

/** @param healthUrl the address that replies 200 when the process is healthy */
function createProcess(entry: string, healthUrl: string, env: NodeJS.ProcessEnv) {
  let lastWords = '';
  const member = createRestartableProcess({
    entry,
    env: () => env,
    onLog: (line) => {
      lastWords = line;
    },
    async isReady() {
      const { status } = await fetch(healthUrl, { signal: AbortSignal.timeout(5000) });
      if (status !== 200) throw new Error(`GET ${healthUrl} is ${status}`);
    },
  });
  const start = () =>
    member.start().catch((error: Error) => {
      const said = lastWords && `, and its last words were ${lastWords}`;
      throw new RehearsalError(`${entry} does not get well: ${error.message}${said}.`);
    });
  return { ...member, start };
}
