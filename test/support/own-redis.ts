// A Redis of one test file's own, which the test may stop, pause and kill as it likes.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type EmbeddedRedis, type RedisOptions, startRedis } from '../../src/local-stack/redis.ts';

/** What a test may do to a server; all of it keeps port and data. */
export interface ServerControls {
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** Starts it again after `stop` or `kill`. */
  start(): Promise<void>;
  /** SIGKILL, as the kernel does when memory runs out. */
  kill(): Promise<void>;
  /** It keeps its connections and answers nothing. */
  pause(): void;
  resume(): void;
}

export interface OwnRedis extends ServerControls {
  readonly url: string;
  /** Changes its settings, from its next start on. */
  configure(settings: NonNullable<RedisOptions['settings']>): void;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

/** For servers that are started outside a test run, which provides both. */
export interface Place {
  /** Where data may lie. */
  folder?: string;
  binary?: RedisOptions['binary'];
}

/**
 * Starts one; 15 ms. What is written is kept until `dispose`, a kill included.
 * @param options.settings further settings of Redis
 * @param options.port a free one by default
 */
export async function startOwnRedis({
  folder = inject('temporaryFolder'),
  binary = inject('redisBinary'),
  settings = {},
  port: wanted,
}: Place & Pick<RedisOptions, 'settings' | 'port'> = {}): Promise<OwnRedis> {
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
