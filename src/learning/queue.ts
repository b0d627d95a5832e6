// The queues of judged answers as their reader sees them: streams in Redis, which the scripts that judge
// append to. [contract 13]
import { z } from 'zod';
import { mastersOf, type RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { queueKey, WRITER_KEY } from './keys.ts';

/** The start of every script that judges answers. */
export const QUEUE_JUDGED = new URL('lua/queue-judged.lua', import.meta.url);

const keepTurnScript = loadScript(new URL('lua/keep-turn.lua', import.meta.url));

/** What was judged in one step: an answer of one user, or those of a round. */
export interface JudgedEntry {
  /** The queue, by its slot. */
  slot: number;
  /** `<ms>-<number>`: when it was judged, by the Redis server's clock, and its place in the queue. */
  id: string;
  /** The word, by the name of its deck or list, or null where no sense can be made of the entry. */
  word: { words: string; prompt: string; gloss?: string } | null;
  right: string[];
  wrong: string[];
}

type Row = [id: string, fields: string[]];

const QueuedWord = z.union([
  z.tuple([z.string(), z.string()]),
  z.tuple([z.string(), z.string(), z.string()]),
]);
const UserIds = z.array(z.guid());

/**
 * Reads queues in order, across all of them: what may be older than something unread, on any server, is
 * there the next time.
 * @param slots different ones
 * @param limit how many entries at about the most, at least one of each queue
 * @returns the oldest ones, and whether the limit has kept others back
 */
export async function readQueues(
  redis: RedisClient,
  slots: readonly number[],
  limit: number,
): Promise<{ entries: JudgedEntry[]; isCut: boolean }> {
  const count = Math.ceil(limit / slots.length);
  // One queue is in order by itself.
  const end = slots.length === 1 ? '+' : (await earliestMs(redis)) - 1;
  const queues = await Promise.all(
    slots.map(async (slot) => {
      const rows = (await redis.xrange(queueKey(redis, slot), '-', end, 'COUNT', count)) as Row[];
      return rows.map((row) => parseEntry(slot, row));
    }),
  );
  const lasts = queues.filter(({ length }) => length === count).map((queue) => queue.at(-1));
  const knownUntilMs = Math.min(...lasts.map((last) => timeOf(last?.id ?? '')));
  const known = queues.flat().filter(({ id }) => timeOf(id) <= knownUntilMs);
  const entries = known.toSorted((one, other) => timeOf(one.id) - timeOf(other.id));
  return { entries, isCut: lasts.length > 0 };
}

/** @returns the time, ms, before which no server judges any more */
async function earliestMs(redis: RedisClient): Promise<number> {
  const masters = await mastersOf(redis);
  const times = await Promise.all(masters.map((master) => master.time()));
  return Math.min(
    ...times.map(([seconds, micros]) => Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)),
  );
}

/** @returns when the entry was judged, ms */
export function timeOf(id: string): number {
  return Number.parseInt(id, 10);
}

/** @returns whether an entry lies behind a position of its queue */
export function isBeyond(id: string, position: string): boolean {
  const [ms, number] = id.split('-').map(Number) as [number, number];
  const [lastMs, lastNumber] = position.split('-').map(Number) as [number, number];
  return ms > lastMs || (ms === lastMs && number > lastNumber);
}

function parseEntry(slot: number, [id, fields]: Row): JudgedEntry {
  const [, word, , right, , wrong] = fields;
  const usersOf = (ids = '') => UserIds.parse(ids.split(' ').filter(Boolean));
  try {
    const [words, prompt, gloss] = QueuedWord.parse(JSON.parse(word ?? ''));
    const said = gloss === undefined ? { prompt } : { prompt, gloss };
    return { slot, id, word: { words, ...said }, right: usersOf(right), wrong: usersOf(wrong) };
  } catch {
    return { slot, id, word: null, right: [], wrong: [] };
  }
}

/** Takes what is written out of its queues. @param written the last entry of each slot */
export async function trimQueues(
  redis: RedisClient,
  written: ReadonlyMap<number, string>,
): Promise<void> {
  await Promise.all(
    [...written].map(([slot, id]) => {
      const [ms, number] = id.split('-').map(Number) as [number, number];
      return redis.xtrim(queueKey(redis, slot), 'MINID', `${ms}-${number + 1}`);
    }),
  );
}

/**
 * Says that this worker writes, unless another one does. It only spares the others the work: what keeps
 * two from writing the same is in PostgreSQL.
 * @param forMs how long it is taken for the writer if it says so no more
 * @returns whether it is this one's turn
 */
export async function keepTurn(
  redis: RedisClient,
  worker: string,
  forMs: number,
): Promise<boolean> {
  return (await runScript(redis, keepTurnScript, [WRITER_KEY], [worker, forMs])) === 'mine';
}

/** Lets another worker write at once. */
export async function giveTurnUp(redis: RedisClient, worker: string): Promise<void> {
  await runScript(redis, keepTurnScript, [WRITER_KEY], [worker, 1]);
}
