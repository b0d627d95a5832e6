// Work that a crowd asks for at once, done so many at a time: with all of it under way, each piece would
// wait for the others until the stores' timeouts call it an outage.
import { isOutage } from './outage.ts';

/**
 * @param max how many are under way at most; the others wait, in their order
 * @returns what does a piece of work in its turn. When one finds that a store is away, those who wait
 * are refused as it is: each would find the same, one after the other
 */
export function createGate(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: PromiseWithResolvers<void>[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      await turn.promise;
    } else {
      running++;
    }
    try {
      return await work();
    } catch (error) {
      if (isOutage(error)) for (const { reject } of waiting.splice(0)) reject(error);
      throw error;
    } finally {
      // The place passes on; nobody who comes at this moment gets between.
      const next = waiting.shift();
      if (next) next.resolve();
      else running--;
    }
  };
}
