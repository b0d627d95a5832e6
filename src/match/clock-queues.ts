// The queues of the games' clocks: several, each in a slot of its own, so that a cluster's masters share
// them. How many are in use may differ between processes and change while games run: Redis remembers
// every number that was.
import { sharedPlace } from '../platform/queue.ts';
import type { QueuePlace } from '../platform/queue-look.ts';
import type { RedisClient } from '../platform/redis.ts';

/** The name of them all. */
export const CLOCK_QUEUE = 'clock';

/** Where releases before there were several had all clocks. */
const FORMER_PLACE = sharedPlace(CLOCK_QUEUE);

/** The set of all numbers of queues that processes have used. */
const COUNTS_KEY = '{quiz}:clock-counts';

/** How often a process that winds clocks says by which number, should Redis have forgotten. */
const TELL_EVERY_MS = 5000;

export interface ClockQueues {
  /** Where this process has a game's clock. */
  placeOf(gameId: string): QueuePlace;
  /** Has all workers serve the queues of this process; to be called before each use, mostly for nothing. */
  tell(): Promise<void>;
  /** All places in which others may have the game's clock. */
  otherPlacesOf(gameId: string): Promise<QueuePlace[]>;
  /** All that clocks may be in; each call returns the same objects. */
  all(): Promise<QueuePlace[]>;
}

/** @param count how many queues this process uses */
export function createClockQueues(redis: RedisClient, count: number): ClockQueues {
  const places: QueuePlace[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;

  function placeAt(index: number): QueuePlace {
    const place = places[index] ?? { name: CLOCK_QUEUE, prefix: `{quiz:clock:${index}}` };
    places[index] = place;
    return place;
  }
  // Ids of games are random: any part of one is as good as a hash.
  const placeBy = (count: number, gameId: string) =>
    placeAt(Number.parseInt(gameId.slice(0, 8), 16) % count);

  async function readCounts(): Promise<number[]> {
    return [count, ...(await redis.smembers(COUNTS_KEY)).map(Number)];
  }

  return {
    placeOf: (gameId) => placeBy(count, gameId),
    async tell() {
      if (performance.now() - toldAt < TELL_EVERY_MS) return;
      await redis.sadd(COUNTS_KEY, count);
      toldAt = performance.now();
    },
    async otherPlacesOf(gameId) {
      const all = (await readCounts()).map((count) => placeBy(count, gameId));
      const others = new Set(all);
      others.delete(placeBy(count, gameId));
      return [...others, FORMER_PLACE];
    },
    async all() {
      const most = Math.max(...(await readCounts()));
      return [...Array.from({ length: most }, (_, index) => placeAt(index)), FORMER_PLACE];
    },
  };
}
