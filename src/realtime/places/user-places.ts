// The places of this replica's sockets among those of their users, taken at the upgrade and kept for
// as long as the socket is open. [contract 17]
import { randomBytes } from 'node:crypto';
import type { RedisClient } from '../../platform/redis.ts';
import { freePlace, KEEP_PLACES_MS, keepPlaces, type Place, takePlace } from './store.ts';

export interface UserPlaces {
  /**
   * @returns the place, or null when the user has as many as are allowed
   * @throws an outage when Redis can't be asked
   */
  take(userId: string): Promise<Place | null>;
  /** Frees a place, once. */
  free(place: Place): void;
  /** Frees what is still taken; resolves when Redis knows of every free place. */
  stop(): Promise<void>;
}

/** @param max places of one user, over all replicas */
export function createUserPlaces(redis: RedisClient, max: number): UserPlaces {
  const taken = new Set<Place>();
  const freeing = new Set<Promise<void>>();
  let isKeeping = false;

  function free(place: Place): void {
    if (!taken.delete(place)) return;
    // What Redis can't be told now expires by itself.
    const told = freePlace(redis, place)
      .catch(() => {})
      .finally(() => freeing.delete(told));
    freeing.add(told);
  }

  async function keep(): Promise<void> {
    if (isKeeping || taken.size === 0) return;
    isKeeping = true;
    // The next round makes up for a failure.
    await keepPlaces(redis, taken).catch(() => {});
    isKeeping = false;
  }

  const timer = setInterval(keep, KEEP_PLACES_MS);
  // Redis may have lost what it knew.
  redis.on('ready', keep);

  return {
    async take(userId) {
      const place = { placeId: randomBytes(9).toString('base64url'), userId };
      if (!(await takePlace(redis, place, max))) return null;
      taken.add(place);
      return place;
    },
    free,
    async stop() {
      clearInterval(timer);
      redis.off('ready', keep);
      for (const place of taken) free(place);
      await Promise.all(freeing);
    },
  };
}
