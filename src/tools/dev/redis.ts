// Starts a Redis server that only this machine can reach.
import { mkdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { findRedis, type RedisBinary, redisEnv } from './find-redis.ts';
import { untilServerEnds } from './leftover.ts';
import { type RunningServer, startServer } from './managed-process.ts';

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

export interface EmbeddedRedis extends RunningServer {
  readonly url: string;
}

/**
 * Starts Redis and waits until it answers. A server that a killed launcher has left on the same data ends first.
 * @throws Error when no program is found, or it can't be started; the message has the end of its log
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis> {
  const binary = options.binary ?? (await findRedis());
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await untilServerEnds(readPid(dataDir), dataDir);

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
  return { ...server, url: `redis://127.0.0.1:${server.port}` };
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

function readPid(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile(dataDir), 'utf8'));
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

async function isReady(pid: number, port: number): Promise<boolean> {
  const answer = await ask(port, 'INFO server\r\nPING\r\n');
  // Another server may have taken the port, and has another process id. Redis answers PING with an error until it has
  // loaded its data.
  return answer.includes(`process_id:${pid}\r\n`) && answer.includes('+PONG');
}

function ask(port: number, commands: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    let answer = '';
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, done).setEncoding('utf8');
    socket.once('connect', () => socket.write(commands));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (/\+PONG|-LOADING/.test(answer)) done();
    });
    socket.once('error', done).once('close', done);
  });
}
