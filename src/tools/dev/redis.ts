// Starts a Redis server that only this machine can reach.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { findRedis, type RedisBinary, redisEnv } from './find-redis.ts';
import { untilServerEnds } from './leftover.ts';
import { startServer } from './managed-process.ts';

export interface RedisOptions {
  /** Created when it is missing. It also has the log of the latest run. */
  dataDir: string;
  /** A free port by default. */
  port?: number | undefined;
  /** Whether writes survive a restart, and SIGKILL. */
  persist: boolean;
  /** Further settings, by their names in Redis' configuration. */
  settings?: Record<string, string | number | string[]>;
  /** The program to run; `findRedis` finds it by default. */
  binary?: RedisBinary;
}

export type EmbeddedRedis = Awaited<ReturnType<typeof startRedis>>;

/**
 * Starts Redis and waits until it answers. A server that a killed launcher has left on the same data ends first.
 * @throws Error when no program is found, or it can't be started; the message has the end of its log
 */
export async function startRedis(options: RedisOptions) {
  const binary = options.binary ?? (await findRedis());
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await untilServerEnds(pidFile(dataDir), dataDir);

  const server = await startServer(
    {
      name: 'Redis',
      command: binary.command,
      args: (port) => settings(options, dataDir, port),
      env: redisEnv(binary),
      cwd: dataDir,
      logFile: join(dataDir, 'redis.log'),
      stopSignal: 'SIGTERM',
      isReady,
      portTaken: /Address already in use|bind: /,
    },
    options.port,
  );
  return { ...server, url: `redis://127.0.0.1:${server.port}`, version: binary.version };
}

function settings(options: RedisOptions, dataDir: string, port: number): string[] {
  const values = {
    port,
    bind: '127.0.0.1',
    'protected-mode': 'yes',
    dir: dataDir,
    pidfile: pidFile(dataDir),
    // Games and jobs must not be evicted.
    'maxmemory-policy': 'noeviction',
    // Redis looks for expired blocking commands this many times a second. With the default of 10, a job would be
    // late by up to 100 ms.
    hz: 100,
    save: '',
    appendonly: options.persist ? 'yes' : 'no',
    ...options.settings,
  };
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, ...[value].flat().map(String)]);
}

function pidFile(dataDir: string): string {
  return join(dataDir, 'redis.pid');
}

async function isReady(pid: number, port: number): Promise<boolean> {
  const once = { lazyConnect: true, enableReadyCheck: false, retryStrategy: null, commandTimeout: 1_000 };
  const client = new Redis(port, '127.0.0.1', once);
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Redis answers PING with an error until it has loaded its data.
    await client.ping();
    // Another server may have taken the port, and has another process id.
    return (await client.info('server')).includes(`process_id:${pid}\r\n`);
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
