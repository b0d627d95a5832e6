// Clocks that are due, taken up many at once. BullMQ's own worker takes up each by itself: to lock it, to move
// it to and fro between lists, and to tell three events costs as much as all that a round's end needs besides.
import { JOB_TIMES, lookAt, type QueuePlace } from '../platform/queue-look.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';

const takeScript = loadScript(JOB_TIMES, new URL('lua/take-up-clocks.lua', import.meta.url));
const putOffScript = loadScript(JOB_TIMES, new URL('lua/put-off-clock.lua', import.meta.url));
const freeScript = loadScript(JOB_TIMES, new URL('lua/free-clocks.lua', import.meta.url));

/** Whoever has taken a clock up and has not put it off by then is taken for dead. */
const HELD_MS = 2000;

/** A clock that was taken up. */
export interface TakenClock {
  place: QueuePlace;
  gameId: string;
  /** What it carries, JSON. */
  data: string;
  /** Its place in the queue's order as long as it is held. */
  score: string;
}

const keyOf = ({ prefix, name }: QueuePlace, key: string) => `${prefix}:${name}:${key}`;

/**
 * Takes up a queue's clocks that are due.
 * @returns them, and when the next one is due, ms by the Redis server's clock
 */
export async function takeUp(
  redis: RedisClient,
  place: QueuePlace,
  limit: number,
): Promise<{ taken: TakenClock[]; nextMs: number }> {
  const args = [keyOf(place, ''), HELD_MS, limit];
  const reply = await runScript(redis, takeScript, [keyOf(place, 'delayed')], args);
  const [nextMs, ...flat] = reply as [number, ...string[]];
  const taken: TakenClock[] = [];
  for (let at = 0; at < flat.length; at += 3) {
    const [gameId, data, score] = flat.slice(at, at + 3) as [string, string, string];
    taken.push({ place, gameId, data, score });
  }
  return { taken, nextMs: nextMs < 0 ? Number.POSITIVE_INFINITY : nextMs };
}

/**
 * Puts a clock off, unless others have hastened or taken it meanwhile.
 * @param deadlineMs by the Redis server's clock
 * @param data what it carries from now on, JSON; the same as before without it
 */
export async function putOff(
  redis: RedisClient,
  { place, gameId, score }: TakenClock,
  deadlineMs: number,
  data = '',
): Promise<void> {
  const keys = [keyOf(place, 'delayed'), keyOf(place, gameId)];
  await runScript(redis, putOffScript, keys, [gameId, score, deadlineMs, data]);
}

/**
 * Has clocks fire that a worker of the release before has left behind, also those of games that are over: it
 * moves them to lists of BullMQ's that nobody looks at any more.
 */
export async function freeLeft(redis: RedisClient, places: readonly QueuePlace[]): Promise<void> {
  for (const [place, { waiting, active }] of await lookAt(redis, places)) {
    if (waiting + active === 0) continue;
    const keys = ['wait', 'active', 'delayed'].map((list) => keyOf(place, list));
    await runScript(redis, freeScript, keys, [keyOf(place, '')]);
  }
}
