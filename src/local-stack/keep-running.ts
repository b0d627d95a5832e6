// Keeps one of the embedded stores running: if somebody else ends it, it comes back on the same
// port with the same data, so that the processes which use it recover by themselves.
import { setTimeout as sleep } from 'node:timers/promises';

const RESTART_DELAY_MS = 1_000;

/** What both embedded servers have in common. */
interface Server {
  readonly pid: number;
  readonly port: number;
  readonly exited: Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export interface KeptServer<T extends Server> {
  /** As it was at the first start; the address stays true. */
  readonly first: T;
  /** Undefined while it is down. */
  pid(): number | undefined;
  stop(): Promise<void>;
  kill(): void;
}

/**
 * Starts a server, and again whenever it ends without being told to.
 * @param start starts it; gets the port of the first start from the second on
 * @param report is told of its end and of its return
 * @throws whatever the first start throws
 */
export async function keepRunning<T extends Server>(
  start: (port?: number) => Promise<T>,
  report: (event: 'ended' | 'returned' | 'failed', detail: string) => void,
): Promise<KeptServer<T>> {
  const first = await start();
  let current: T | undefined = first;
  let stopping = false;

  async function watch(): Promise<void> {
    while (!stopping) {
      await current?.exited;
      if (stopping) return;
      current = undefined;
      report('ended', 'it is started again in a second');
      await restart();
    }
  }

  async function restart(): Promise<void> {
    let failures = 0;
    while (!current && !stopping) {
      await sleep(RESTART_DELAY_MS);
      if (stopping) return;
      try {
        current = await start(first.port);
        report('returned', `pid ${current.pid}`);
      } catch (error) {
        // Once is enough to read, however long it goes on.
        if (failures++ === 0) report('failed', (error as Error).message);
      }
    }
  }

  const watching = watch();
  return {
    first,
    pid: () => current?.pid,
    async stop() {
      stopping = true;
      await current?.stop();
      await watching;
      // It may have been starting just now.
      await current?.stop();
    },
    kill() {
      stopping = true;
      current?.signal('SIGKILL');
    },
  };
}
