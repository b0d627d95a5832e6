// A concurrency limit (bulkhead) for work that many clients request at once, which would otherwise run together until
// timeouts end it. Each key has a limit too, so that a lobby whose row is locked does not block the others.
import { AppError } from '../../errors.ts';
import { isUnreachable } from '../outages/outage.ts';

/** A task that has waited for longer is refused when its turn comes. */
const WAIT_MAX_MS = 10_000;

/**
 * @param limits.max how many tasks run at once
 * @param limits.maxPerKey how many of these may have the same key; further ones wait in their order
 * @returns a function that runs a task in its turn. It throws AppError UNAVAILABLE when the turn comes too late, and
 *   otherwise what the task throws; where that is an unreachable store, all waiting tasks are refused with it
 */
export function createConcurrencyLimit({ max, maxPerKey }: { max: number; maxPerKey: number }) {
  /** In the order of their requests. */
  const waiting = new Set<PromiseWithResolvers<void> & { key: string; sinceMs: number }>();
  let running = 0;
  const runningOf = new Map<string, number>();

  const mayRun = (key: string) => running < max && (runningOf.get(key) ?? 0) < maxPerKey;

  function count(key: string, change: 1 | -1): void {
    running += change;
    const now = (runningOf.get(key) ?? 0) + change;
    if (now > 0) runningOf.set(key, now);
    else runningOf.delete(key);
  }

  /** Counts the started tasks at once, so that a task which is requested at this moment does not get ahead of them. */
  function startNext(): void {
    const expiredMs = performance.now() - WAIT_MAX_MS;
    for (const task of waiting) {
      if (task.sinceMs < expiredMs) task.reject(new AppError('UNAVAILABLE'));
      else if (running >= max) return;
      else if (mayRun(task.key)) {
        count(task.key, 1);
        task.resolve();
      } else continue;
      waiting.delete(task);
    }
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (mayRun(key)) count(key, 1);
    else {
      const turn = { key, sinceMs: performance.now(), ...Promise.withResolvers<void>() };
      waiting.add(turn);
      await turn.promise;
    }
    try {
      return await work();
    } catch (error) {
      if (isUnreachable(error)) {
        for (const { reject } of waiting) reject(error);
        waiting.clear();
      }
      throw error;
    } finally {
      count(key, -1);
      startNext();
    }
  };
}
