// How many sockets each user has open over all replicas, in Redis. Users share sixteen hash slots, so
// that a replica keeps all its places by a handful of commands, on a cluster too. [contract 17]
import type { RedisClient } from '../../platform/redis.ts';
import { loadScript, runScript } from '../../platform/scripts.ts';

const takeScript = loadScript(new URL('lua/take-place.lua', import.meta.url));
const keepScript = loadScript(new URL('lua/keep-places.lua', import.meta.url));

/** How often a replica keeps the places of its sockets. */
export const KEEP_PLACES_MS = 5000;

/** A place outlives two missed rounds, and is free within 20 s of a crash. [contract 17] */
const PLACE_TTL_MS = 3 * KEEP_PLACES_MS;

/** So many places are kept by one command: Redis does nothing else meanwhile. */
const PLACES_PER_COMMAND = 1000;

/** One socket of one user. */
export interface Place {
  placeId: string;
  userId: string;
}

/** The last digit of an id is as good as random. */
function shardOf(userId: string): string {
  return userId.slice(-1);
}

function placesKey(userId: string): string {
  return `places:{${shardOf(userId)}}:${userId}`;
}

/**
 * Of any number at once as many succeed as there are places.
 * @param max places of one user
 * @returns whether the place was free
 * @throws an outage when Redis can't be asked
 */
export async function takePlace(redis: RedisClient, place: Place, max: number): Promise<boolean> {
  const { placeId, userId } = place;
  const args = [max, PLACE_TTL_MS, placeId];
  return (await runScript(redis, takeScript, [placesKey(userId)], args)) === 1;
}

export async function freePlace(redis: RedisClient, { placeId, userId }: Place): Promise<void> {
  await redis.zrem(placesKey(userId), placeId);
}

/** Keeps places from expiring; also those that Redis has lost. */
export async function keepPlaces(redis: RedisClient, places: Iterable<Place>): Promise<void> {
  const shards = Map.groupBy(places, ({ userId }) => shardOf(userId));
  const batches = [...shards.values()].flatMap(inBatches);
  await Promise.all(
    batches.map((batch) =>
      runScript(
        redis,
        keepScript,
        batch.map(({ userId }) => placesKey(userId)),
        [PLACE_TTL_MS, ...batch.map(({ placeId }) => placeId)],
      ),
    ),
  );
}

function inBatches(places: Place[]): Place[][] {
  const count = Math.ceil(places.length / PLACES_PER_COMMAND);
  return Array.from({ length: count }, (_, index) =>
    places.slice(index * PLACES_PER_COMMAND, (index + 1) * PLACES_PER_COMMAND),
  );
}
