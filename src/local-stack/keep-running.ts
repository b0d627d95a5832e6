// Keeps the processes of the stack running: if one dies it comes back after a second, on the same port
// and with the same data, so that those which use it recover by themselves. [contract 9]
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending, OwnProcess } from './own-process.ts';

const RESTART_DELAY_MS = 1_000;

export interface KeeperEvents {
  print(line: string): void;
  /** A process has started or ended: what `pid` says is new. */
  onChange(): void;
  /** A process has ended without being told to; it will be started again. */
  onDied?(name: string, ending: Ending): void;
}

export interface Kept<T extends OwnProcess> {
  /** As it was at the first start; its address stays true. */
  readonly first: T;
  /** Undefined while it is down. */
  pid(): number | undefined;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): void;
}

/**
 * Starts a process, and again whenever it ends without being told to.
 * @param start starts it; gets that of the first start from the second on
 * @throws whatever the first start throws
 */
export async function keepRunning<T extends OwnProcess>(
  name: string,
  start: (first?: T) => Promise<T>,
  { print, onChange, onDied }: KeeperEvents,
): Promise<Kept<T>> {
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
        // Once is enough to read, however long it goes on.
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
      // It may have been starting just now.
      await current?.stop();
    },
    kill() {
      stopping = true;
      current?.signal('SIGKILL');
    },
  };
}
