// How queues stand, many of them asked about in one command: so that a process with dozens of them
// asks no oftener than one with a single queue while nothing is due.
import { Cluster } from 'ioredis';
import type { RedisClient } from './redis.ts';
import { loadScript, runScript } from './scripts.ts';

/** Where BullMQ keeps a queue. */
export interface QueuePlace {
  name: string;
  /** Braced, so that on a Redis Cluster all keys of the queue, and of all with this one, share a slot. */
  prefix: string;
}

export interface QueueState {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Since when, or from when on, the job that is due first is due; null without jobs to do. */
  dueMs: number | null;
}

/** For scripts that read or write BullMQ's delayed jobs: where in their order a time has its place. */
export const JOB_TIMES = new URL('lua/job-times.lua', import.meta.url);

const lookScript = loadScript(JOB_TIMES, new URL('lua/look-at-queues.lua', import.meta.url));
const SETS = ['wait', 'prioritized', 'delayed', 'active', 'failed'];

/** @returns how each of the queues stands, in one command for each slot that they are in */
export async function lookAt(
  redis: RedisClient,
  places: readonly QueuePlace[],
): Promise<Map<QueuePlace, QueueState>> {
  const groups = Map.groupBy(places, (place) => slotOf(redis, place));
  const states = await Promise.all([...groups.values()].map((group) => lookAtGroup(redis, group)));
  return new Map(states.flat());
}

/** @returns the same for queues that one command may ask about together */
export function slotOf(redis: RedisClient, { prefix }: QueuePlace): string {
  return redis instanceof Cluster ? prefix : '';
}

async function lookAtGroup(
  redis: RedisClient,
  places: QueuePlace[],
): Promise<[QueuePlace, QueueState][]> {
  const prefixes = places.map(({ name, prefix }) => `${prefix}:${name}:`);
  const keys = prefixes.flatMap((prefix) => SETS.map((set) => `${prefix}${set}`));
  const replies = (await runScript(redis, lookScript, keys, prefixes)) as number[][];
  return replies.map(([waiting = 0, active = 0, delayed = 0, failed = 0, due = -1], index) => [
    places[index] as QueuePlace,
    { waiting, active, delayed, failed, dueMs: due < 0 ? null : due },
  ]);
}
