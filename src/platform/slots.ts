// The slots of a Redis Cluster, for what has to lie in the slot of somebody else's keys. A single server
// is like a cluster of one slot.
import keySlot from 'cluster-key-slot';
import { Cluster } from 'ioredis';
import type { RedisClient } from './redis.ts';

const SLOTS = 16_384;

/** The shortest number with each slot; made at its first use, in some 20 ms. */
let tags: string[] | undefined;

function makeTags(): string[] {
  const made: string[] = [];
  let known = 0;
  for (let number = 0; known < SLOTS; number++) {
    const tag = `${number}`;
    const slot = keySlot(tag);
    if (made[slot] !== undefined) continue;
    made[slot] = tag;
    known += 1;
  }
  return made;
}

/** @returns how many slots there are */
export function slotCount(redis: RedisClient): number {
  return redis instanceof Cluster ? SLOTS : 1;
}

/** @returns the slot of the keys with this hash tag */
export function slotOf(redis: RedisClient, tag: string): number {
  return redis instanceof Cluster ? keySlot(tag) : 0;
}

/** @returns the hash tag that this service gives to keys of its own in a slot */
export function tagOf(redis: RedisClient, slot: number): string {
  if (!(redis instanceof Cluster)) return '0';
  tags ??= makeTags();
  return tags[slot] as string;
}
