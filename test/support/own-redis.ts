// A Redis server for one test file, whose tests can stop, pause and kill it.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type EmbeddedRedis, type RedisOptions, startRedis } from '../../src/tools/dev/redis.ts';

/** Controls of a server. The server keeps its port and its data. */
export interface ServerControls {
  /** Stops the server orderly. */
  stop(): Promise<void>;
  /** Restarts the server after `stop` or `kill`. */
  start(): Promise<void>;
  /** Sends SIGKILL, as the kernel does when memory runs out. */
  kill(): Promise<void>;
  /** Stops the process by SIGSTOP: its connections stay open, and it answers nothing. */
  pause(): void;
  resume(): void;
}

export interface OwnRedis extends ServerControls {
  readonly url: string;
  /** Changes the settings of its next start. */
  configure(settings: NonNullable<RedisOptions['settings']>): void;
  /** Stops the server and removes its data. */
  dispose(): Promise<void>;
}

/** Where a server's data and program are; a test run provides defaults for both. */
export interface ServerLocation {
  /** The folder for its data. */
  folder?: string;
  binary?: RedisOptions['binary'];
}

/**
 * Starts a server, in about 15 ms. Its data survives until `dispose`, even if the server is killed.
 * @param options.settings additional settings of Redis
 * @param options.port by default a free port
 */
export async function startOwnRedis({
  folder = inject('temporaryFolder'),
  binary = inject('redisBinary'),
  settings = {},
  port: wanted,
}: ServerLocation & Pick<RedisOptions, 'settings' | 'port'> = {}): Promise<OwnRedis> {
  const dataDir = mkdtempSync(join(folder, 'redis-'));
  const common = { dataDir, binary, persist: true, settings: { ...settings } };
  let server: EmbeddedRedis = await startRedis({ ...common, ...(wanted && { port: wanted }) });
  const { port, url } = server;
  return {
    url,
    configure: (changes) => void Object.assign(common.settings, changes),
    stop: () => server.stop(),
    async start() {
      await server.stop();
      server = await startRedis({ ...common, port });
    },
    async kill() {
      server.signal('SIGKILL');
      await server.exited;
    },
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async dispose() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
