// In a burst of changes of who is there, one `lobby:state` stands for several: a class that comes in at
// once is told of itself some times a second, not two hundred times. A change that is not told at once is
// owed, in Redis: the process that owes it pays, and when that one dies, whoever looks after the lobby.
// [contract 11]
import type { RedisClient } from '../platform/redis.ts';
import { loadScript } from '../platform/scripts.ts';
import { APPEND_EVENT, type LiveDeps, runAppending } from './event-log.ts';
import { lobbyKeys } from './keys.ts';

const payScript = loadScript(APPEND_EVENT, new URL('lua/pay-owed-state.lua', import.meta.url));

/** A timer may fire within the millisecond before its time. */
const MARGIN_MS = 2;

export interface OwedStates {
  /** Tells who is there in so many ms, unless somebody has by then. */
  payIn(lobbyId: string, delayMs: number): void;
  /** Tells at once what is owed. */
  stop(): Promise<void>;
}

export function createOwedStates(
  redis: RedisClient,
  { lobbyTtlMs, processName }: Pick<LiveDeps, 'lobbyTtlMs' | 'processName'>,
): OwedStates {
  const timers = new Map<string, NodeJS.Timeout>();

  async function pay(lobbyId: string, which: 'due' | 'now'): Promise<void> {
    clearTimeout(timers.get(lobbyId));
    timers.delete(lobbyId);
    try {
      const args = [lobbyTtlMs, processName, which];
      await runAppending(redis, payScript, lobbyKeys(lobbyId), args);
    } catch {
      // It is found to be owed still when its lobby is looked after.
    }
  }

  return {
    payIn(lobbyId, delayMs) {
      clearTimeout(timers.get(lobbyId));
      const timer = setTimeout(() => void pay(lobbyId, 'due'), delayMs + MARGIN_MS);
      timers.set(lobbyId, timer);
    },
    async stop() {
      await Promise.all([...timers.keys()].map((lobbyId) => pay(lobbyId, 'now')));
    },
  };
}
