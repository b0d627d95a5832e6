// A real Redis of this project's own, reachable from this machine alone.
import { mkdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { findRedis, type RedisBinary, redisEnv } from './find-redis.ts';
import { endServer } from './leftover.ts';
import { type RunningServer, startServer } from './server-process.ts';

export interface RedisOptions {
  /** Made when missing; holds the log of the latest run too. */
  dataDir: string;
  /** A free one by default. */
  port?: number | undefined;
  /** Whether what is written survives a restart, a kill included. */
  persist: boolean;
  /** Further settings, by their names in Redis' configuration. */
  settings?: Record<string, string | number | string[]>;
  /** The program to run; looked for by default. */
  binary?: RedisBinary;
}

export interface EmbeddedRedis extends RunningServer {
  readonly url: string;
}

/**
 * Starts Redis and waits until it answers. A server that a killed launcher left on the same data
 * is stopped first.
 * @throws Error when there is none to run, or it can't be started; the message holds its last words
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis> {
  const binary = options.binary ?? (await findRedis());
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await endServer(readPid(dataDir), dataDir, 'SIGTERM');

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
    // The queue's jobs and the matches must never be dropped to make room.
    'maxmemory-policy': 'noeviction',
    save: '',
    appendonly: options.persist ? 'yes' : 'no',
    ...options.settings,
  };
  return Object.entries(values).flatMap(([name, value]) => [
    `--${name}`,
    ...[value].flat().map(String),
  ]);
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
  // The process id tells our server from another one that was faster to take the port; the PONG
  // comes only when the data of the last run is loaded.
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
