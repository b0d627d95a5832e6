// The queues of judged answers as their reader sees them: streams in Redis, which the scripts that judge
// append to. [contract 13]
import { z } from 'zod';
import type { RedisClient } from '../platform/redis.ts';
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
 * @param limit entries of each queue at most
 * @returns the oldest entries of the queues in these slots, in their order
 */
export async function readQueues(
  redis: RedisClient,
  slots: readonly number[],
  limit: number,
): Promise<JudgedEntry[]> {
  const read = slots.map(async (slot) => {
    const rows = (await redis.xrange(queueKey(redis, slot), '-', '+', 'COUNT', limit)) as Row[];
    return rows.map((row) => parseEntry(slot, row));
  });
  const entries = (await Promise.all(read)).flat();
  return slots.length === 1 ? entries : entries.toSorted(byTime);
}

function byTime(a: JudgedEntry, b: JudgedEntry): number {
  return timeOf(a.id) - timeOf(b.id);
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

/** How long a worker that has died is taken for the writer, ms. */
const TURN_MS = 3000;

/**
 * Says that this worker writes, unless another one does. It only spares the others the work: what keeps
 * two from writing the same is in PostgreSQL.
 * @returns whether it is this one's turn
 */
export async function keepTurn(redis: RedisClient, worker: string): Promise<boolean> {
  return (await runScript(redis, keepTurnScript, [WRITER_KEY], [worker, TURN_MS])) === 'mine';
}
