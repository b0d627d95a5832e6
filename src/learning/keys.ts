// The names of the queues of judged answers: one in each slot, since the script that judges may touch its
// game's slot alone; the ids of games lead to few of them: newGatheredId.
import type { RedisClient } from '../platform/redis.ts';
import { slotOf, tagOf } from '../platform/slots.ts';

/** The queue in a slot: a stream. */
export function queueKey(redis: RedisClient, slot: number): string {
  return `learn:{${tagOf(redis, slot)}}:judged`;
}

/** @returns the queue for a script whose keys have this hash tag */
export function queueKeyBeside(redis: RedisClient, tag: string): string {
  return queueKey(redis, slotOf(redis, tag));
}

/** Which worker writes at the moment; the others would only read the same. */
export const WRITER_KEY = '{quiz}:learn-writer';
