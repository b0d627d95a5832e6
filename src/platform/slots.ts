// The slots of a Redis Cluster, for what has to lie in the slot of somebody else's keys. A single server
// is like a cluster of one slot.
import { randomUUID } from 'node:crypto';
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

/** Of so many slots one takes what is gathered: 128 of them, evenly spread over the servers. */
const GATHERED_EVERY = 128;

/** How many hexadecimal digits at the end of an id choose its slot: more than it takes. */
const END_LENGTH = 3;
const NO_END = '0'.repeat(END_LENGTH);

/** The ends of an id, by what they change of the slot; made at the first use, in some 2 ms. */
let ends: Map<number, string[]> | undefined;

/** The checksum that makes the slot is linear: what the end changes of it does not depend on the rest. */
function makeEnds(): Map<number, string[]> {
  const all = Array.from({ length: 16 ** END_LENGTH }, (_, number) =>
    number.toString(16).padStart(END_LENGTH, '0'),
  );
  return Map.groupBy(all, (end) => {
    const codes = [...end].map((digit) => digit.charCodeAt(0) ^ NO_END.charCodeAt(0));
    return keySlot(String.fromCharCode(...codes)) % GATHERED_EVERY;
  });
}

/**
 * Names what lays something beside itself that others look for: in these slots alone they have to look.
 * @returns a random UUID; as a hash tag it leads to one of `gatheredSlots`
 */
export function newGatheredId(): string {
  ends ??= makeEnds();
  const id = randomUUID();
  const start = id.slice(0, -END_LENGTH);
  const fitting = ends.get(keySlot(start + NO_END) % GATHERED_EVERY) as string[];
  return start + fitting[Number.parseInt(id.slice(-END_LENGTH), 16) % fitting.length];
}

/** @returns the slots of all ids of `newGatheredId` */
export function gatheredSlots(redis: RedisClient): number[] {
  const count = Math.ceil(slotCount(redis) / GATHERED_EVERY);
  return Array.from({ length: count }, (_, index) => index * GATHERED_EVERY);
}
