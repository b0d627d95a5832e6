// A Redis of one test file's own, which the test may stop, pause and kill as it likes.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type EmbeddedRedis, startRedis } from '../../src/local-stack/redis.ts';

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
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

/** Starts one; 15 ms. What is written is kept until `dispose`, a kill included. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const binary = inject('redisBinary');
  const dataDir = mkdtempSync(join(inject('temporaryFolder'), 'redis-'));
  let server: EmbeddedRedis = await startRedis({ dataDir, binary, persist: true });
  const { port, url } = server;
  return {
    url,
    stop: () => server.stop(),
    async start() {
      await server.stop();
      server = await startRedis({ dataDir, binary, port, persist: true });
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
