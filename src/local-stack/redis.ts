// A real Redis of this project's own, reachable from this machine alone.
import { mkdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRedis, type RedisBinary, redisEnv } from './find-redis.ts';
import { endLeftover } from './leftover.ts';
import { freePort } from './ports.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';

const START_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 10;

export interface RedisOptions {
  /** Made when missing; holds the log of the latest run too. */
  dataDir: string;
  /** A free one by default. */
  port?: number;
  /** Whether what is written survives a restart, a kill included. */
  persist: boolean;
  /** A node that can become part of a Redis Cluster. */
  cluster?: boolean;
  /** Further settings, by their names in Redis' configuration. */
  settings?: Record<string, string | number | string[]>;
  /** The program to run; looked for by default. */
  binary?: RedisBinary;
}

export interface EmbeddedRedis {
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Writes everything down and stops. */
  stop(): Promise<void>;
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
  await endLeftover(readPid(dataDir), dataDir, 'SIGTERM');

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const server = await spawnServer({
      name: 'Redis',
      command: binary.command,
      args: settings(options, dataDir, port),
      env: redisEnv(binary),
      cwd: dataDir,
      logFile: join(dataDir, 'redis.log'),
      stopSignal: 'SIGTERM',
    });
    if (await ready(server, port)) return describe(server, port);
    await server.stop();
    const words = server.lastWords();
    const taken = words.includes('Address already in use') || words.includes('bind: ');
    if (taken && options.port) throw new Error(`Redis: port ${port} is taken.`);
    if (!taken || attempt === PORT_ATTEMPTS) throw new Error(`Redis did not start:\n${words}`);
  }
}

function settings(options: RedisOptions, dataDir: string, port: number): string[] {
  const values: Record<string, string | number> = {
    port,
    bind: '127.0.0.1',
    'protected-mode': 'yes',
    dir: dataDir,
    pidfile: pidFile(dataDir),
    // Timers and expiries are checked this often a second; the default of 10 makes the delayed
    // jobs that end a round late by up to 100 ms.
    hz: 100,
    // The queue's jobs and the matches must never be dropped to make room.
    'maxmemory-policy': 'noeviction',
    save: '',
    appendonly: options.persist ? 'yes' : 'no',
  };
  if (options.cluster) {
    values['cluster-enabled'] = 'yes';
    values['cluster-announce-ip'] = '127.0.0.1';
    values['cluster-node-timeout'] = 2_000;
    // A replica would wait five seconds for others to come.
    values['repl-diskless-sync-delay'] = 0;
  }
  return Object.entries({ ...values, ...options.settings }).flatMap(([name, value]) => [
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

async function ready(server: ServerProcess, port: number): Promise<boolean> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (server.running() && Date.now() < giveUpAt) {
    const answer = await ask(port, 'INFO server\r\nPING\r\n');
    // The process id tells our server from another one that was faster to take the port; the PONG
    // comes only when the data of the last run is loaded.
    if (answer.includes(`process_id:${server.pid}\r\n`) && answer.includes('+PONG')) return true;
    await sleep(5);
  }
  return false;
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

function describe(server: ServerProcess, port: number): EmbeddedRedis {
  const { pid, exited, signal } = server;
  return { url: `redis://127.0.0.1:${port}`, pid, port, exited, signal, stop: () => server.stop() };
}
