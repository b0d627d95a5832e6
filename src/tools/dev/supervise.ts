// Restarts a process of the stack that ends without being told to. It starts again after a second, on the same port
// and with the same data, so that its clients recover by reconnecting. [contract 9]
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending, ManagedProcess } from './managed-process.ts';

const RESTART_DELAY_MS = 1_000;

export interface SupervisorEvents {
  print(line: string): void;
  /** Called when a process has started or ended, after which `pid` returns another value. */
  onChange(): void;
  /** Called when a process has ended without being told to, before it is started again. */
  onDied?(name: string, ending: Ending): void;
}

export interface Supervised<T extends ManagedProcess> {
  /** The process of the first start; later ones have the same address. */
  readonly first: T;
  /** Undefined while the process is down. */
  pid(): number | undefined;
  stop(): Promise<void>;
  /** Sends SIGKILL, after which it is not restarted. */
  kill(): void;
}

/**
 * Starts a process, and restarts it whenever it ends without being told to.
 * @param start starts the process; from the second call on it gets the process of the first start
 * @throws what the first start throws
 */
export async function supervise<T extends ManagedProcess>(
  name: string,
  start: (first?: T) => Promise<T>,
  { print, onChange, onDied }: SupervisorEvents,
): Promise<Supervised<T>> {
  const first = await start();
  let current: T | undefined = first;
  let stopping = false;

  async function watch(): Promise<void> {
    while (current && !stopping) {
      const ending = await current.exited;
      current = undefined;
      onChange();
      if (stopping) return;
      print(`${name} ended (${ending}), it is started again in a second.`);
      onDied?.(name, ending);
      await restart();
      onChange();
    }
  }

  async function restart(): Promise<void> {
    for (let failures = 0; !current; failures++) {
      await sleep(RESTART_DELAY_MS);
      if (stopping) return;
      try {
        current = await start(first);
        print(`${name} runs again, pid ${current.pid}.`);
      } catch (error) {
        // The first failure alone is printed, since the attempts may go on for long.
        if (failures === 0) print(`${name} can't be started again: ${(error as Error).message}`);
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
      // A restart that was under way may have started another process.
      await current?.stop();
    },
    kill() {
      stopping = true;
      current?.signal('SIGKILL');
    },
  };
}
