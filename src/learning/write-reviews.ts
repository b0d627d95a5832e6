// From the queues of judged answers to PostgreSQL: in order, and once, whenever whichever process dies.
// How far a queue is written stands in the transaction that writes; what is read again is passed over.
// [contract 13]
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { normalise } from '../vocabulary/rules.ts';
import { isBeyond, type JudgedEntry, timeOf, trimQueues } from './queue.ts';
import { QUARTER_MS, review, wordKey } from './rules.ts';
import {
  addReviewCounts,
  findHandOvers,
  findMemories,
  findPlaces,
  type Learned,
  lockQueues,
  memoryKey,
  type PlacedWord,
  saveMemories,
  savePositions,
  type Transaction,
  type WordPlace,
} from './store.ts';
import { wordId } from './word-ids.ts';

/** Answers a transaction, so that each of its statements is a short one. */
const MAX_ANSWERS = 2000;

/** What writing came to. */
export interface Written {
  /** Entries of the beginning of what was read, these and those that another worker had written before. */
  entries: number;
  answers: number;
  /** Entries of which no sense could be made: they are passed over. */
  unreadable: number;
}

/**
 * Writes what was read of the queues, or as much of its beginning as one transaction may have, and takes
 * it out of them.
 * @returns null when another worker writes at this moment
 * @throws when a store is away; what was not written is there the next time
 */
export async function writeReviews(
  { db, redis }: { db: Database; redis: RedisClient },
  read: JudgedEntry[],
): Promise<Written | null> {
  const entries = firstOf(read);
  const last = new Map(entries.map(({ slot, id }) => [slot, id]));
  const written = await db.$transaction(async (tx) => {
    const positions = await lockQueues(tx, [...last.keys()]);
    if (!positions) return null;
    const fresh = entries.filter(({ slot, id }) => isBeyond(id, positions.get(slot) ?? '0-0'));
    if (fresh.length > 0) {
      await write(tx, fresh);
      await savePositions(tx, new Map(fresh.map(({ slot, id }) => [slot, id])));
    }
    return {
      entries: entries.length,
      answers: fresh.reduce((sum, { right, wrong }) => sum + right.length + wrong.length, 0),
      unreadable: fresh.filter(({ word }) => !word).length,
    };
  });
  if (written) await trimQueues(redis, last);
  return written;
}

/** As many as a transaction may have, the first one in any case. */
function firstOf(entries: JudgedEntry[]): JudgedEntry[] {
  let answers = 0;
  const end = entries.findIndex(({ right, wrong }, index) => {
    answers += right.length + wrong.length;
    return answers > MAX_ANSWERS && index > 0;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** One answer to one word of a deck or list that is still there. */
interface Answer {
  userId: string;
  word: PlacedWord;
  isRight: boolean;
  atMs: number;
}

async function write(tx: Transaction, judged: readonly JudgedEntry[]): Promise<void> {
  const entries = await withoutGuests(tx, judged);
  const names = new Set(entries.flatMap(({ word }) => word?.words ?? []));
  const places = await findPlaces(tx, [...names]);
  const answers = entries.flatMap((entry) => answersOf(entry, places));
  const before = await findMemories(
    tx,
    answers.map(({ userId, word }) => ({ userId, word: word.word })),
  );
  const learned = new Map<string, Learned>();
  for (const { userId, word, isRight, atMs } of answers) {
    const key = memoryKey(userId, word.word);
    const known = learned.get(key)?.memory ?? before.get(key) ?? null;
    learned.set(key, { userId, word, memory: review(known, isRight, atMs) });
  }
  await saveMemories(tx, [...learned.values()]);
  await addReviewCounts(tx, countsOf(entries));
}

/** What a guest has answered who is an account by now is the account's. [contract 11] */
async function withoutGuests(
  tx: Transaction,
  entries: readonly JudgedEntry[],
): Promise<readonly JudgedEntry[]> {
  const userIds = new Set(entries.flatMap(({ right, wrong }) => [...right, ...wrong]));
  const accounts = await findHandOvers(tx, [...userIds]);
  if (accounts.size === 0) return entries;
  const ownersOf = (ids: string[]) => ids.map((id) => accounts.get(id) ?? id);
  return entries.map((entry) => ({
    ...entry,
    right: ownersOf(entry.right),
    wrong: ownersOf(entry.wrong),
  }));
}

function answersOf(entry: JudgedEntry, places: ReadonlyMap<string, WordPlace>): Answer[] {
  const place = entry.word && places.get(entry.word.words);
  if (!entry.word || !place) return [];
  const word = {
    ...place,
    word: wordId(entry.word.words, wordKey(entry.word)),
    sourceKey: normalise(entry.word.prompt),
    gloss: entry.word.gloss ?? null,
  };
  const answer = (isRight: boolean) => (userId: string) => {
    return { userId, word, isRight, atMs: timeOf(entry.id) };
  };
  return [...entry.right.map(answer(true)), ...entry.wrong.map(answer(false))];
}

/** How many answers each user gave in each quarter of an hour, whatever became of the words. */
function countsOf(entries: readonly JudgedEntry[]) {
  const counts = new Map<string, { userId: string; quarter: string; reviews: number }>();
  for (const { id, right, wrong } of entries) {
    const quarterMs = Math.floor(timeOf(id) / QUARTER_MS) * QUARTER_MS;
    for (const userId of [...right, ...wrong]) {
      const key = `${userId} ${quarterMs}`;
      const count = counts.get(key);
      if (count) count.reviews += 1;
      else counts.set(key, { userId, quarter: new Date(quarterMs).toISOString(), reviews: 1 });
    }
  }
  return [...counts.values()];
}
