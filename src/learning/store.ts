// Reads and writes the memories of words in PostgreSQL, in a learning transaction or a hand-over. [contract 11, 13]
import type { Card } from 'ts-fsrs';
import { Prisma } from '../generated/prisma/client.ts';
import { listOfName, wordsName } from '../vocabulary/rules.ts';
import { QUARTER_MS } from './rules.ts';

/** The columns that say which deck or list a word belongs to. */
type WordOrigin = { deckId: number; listId: null; reverse: false } | { deckId: null; listId: string; reverse: boolean };

/** A word, as it is stored with its memory. */
export type StoredWord = WordOrigin & { word: string; sourceKey: string; gloss: string | null };

/** The columns of a word and of its memory, in the order in which all writes name them. */
const WORD = Prisma.sql`word, deck_id, list_id, reverse, source_key, gloss`;
const MEMORY = Prisma.sql`due, stability, difficulty, state, step, scheduled_days, reps, lapses, reviewed_at`;
const REPLACED = Prisma.sql`due = EXCLUDED.due, stability = EXCLUDED.stability, difficulty = EXCLUDED.difficulty,
  state = EXCLUDED.state, step = EXCLUDED.step, scheduled_days = EXCLUDED.scheduled_days, reps = EXCLUDED.reps,
  lapses = EXCLUDED.lapses, reviewed_at = EXCLUDED.reviewed_at`;

export const memoryKey = (userId: string, word: string) => `${userId} ${word}`;

/**
 * Prevents the deletion of these decks and lists until the transaction ends. A deletion locks their rows
 * before those of their words, too, so that there is no deadlock.
 * @param names the `wordsName`s of the decks and lists
 * @returns by name the origin of a deck's or list's words, for those that still exist
 */
export async function lockDecksAndLists(
  tx: Prisma.TransactionClient,
  names: readonly string[],
): Promise<Map<string, WordOrigin>> {
  const wanted = names.flatMap((name) => listOfName(name) ?? []);
  const deckNames = names.filter((name) => !listOfName(name));
  const decks = deckNames.length > 0 ? await lockDecks(tx, deckNames) : [];
  const locked = wanted.length > 0 ? await lockLists(tx, [...new Set(wanted.map(({ listId }) => listId))]) : [];
  const ids = new Set(locked.map(({ id }) => id));
  const lists = wanted.filter(({ listId }) => ids.has(listId));
  return new Map<string, WordOrigin>([
    ...decks.map(({ id, name }) => [name, { deckId: id, listId: null, reverse: false }] as const),
    ...lists.map((list) => [wordsName(list), { deckId: null, ...list }] as const),
  ]);
}

function lockDecks(tx: Prisma.TransactionClient, names: readonly string[]) {
  const fields = names.map((name) => name.split(' '));
  const [source, target, pos, difficulty] = [0, 1, 2, 3].map((at) => fields.map((of) => of[at]));
  return tx.$queryRaw<{ id: number; name: string }[]>`
    SELECT id, concat_ws(' ', source_language, target_language, pos, difficulty) AS name FROM deck
     WHERE (source_language, target_language, pos, difficulty) IN (
             SELECT * FROM unnest(${source}::text[], ${target}::text[], ${pos}::text[], ${difficulty}::text[]))
     ORDER BY id FOR KEY SHARE`;
}

function lockLists(tx: Prisma.TransactionClient, ids: readonly string[]) {
  return tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM word_list WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR KEY SHARE`;
}

/**
 * Reads memories as one text, since parsing rows of many columns costs the worker more than all its other work on them.
 * @returns by `memoryKey` the memories of these users and words, for those words that were answered before
 */
export async function findMemories(
  tx: Prisma.TransactionClient,
  keys: readonly { userId: string; word: string }[],
): Promise<Map<string, Card>> {
  const [row] = await tx.$queryRaw<[{ found: string | null }]>`
    SELECT string_agg(concat_ws(' ', user_id, word, stability, difficulty, state, step, scheduled_days, reps, lapses,
                                (date_part('epoch', due) * 1000)::bigint,
                                (date_part('epoch', reviewed_at) * 1000)::bigint), ',') AS found
      FROM learned_word
     WHERE (user_id, word) IN (
             SELECT * FROM unnest(${arrayOf(keys, (key) => key.userId)}::uuid[],
                                  ${arrayOf(keys, (key) => key.word)}::uuid[]))`;
  return new Map(row.found?.split(',').map(parseMemory));
}

function parseMemory(text: string): [string, Card] {
  const [userId = '', word = '', ...rest] = text.split(' ');
  const [stability = 0, difficulty = 0, state = 0, step = 0, scheduledDays = 0, ...last] = rest.map(Number);
  const [reps = 0, lapses = 0, dueMs = 0, reviewedMs = 0] = last;
  const card = { stability, difficulty, state, learning_steps: step, scheduled_days: scheduledDays, reps, lapses };
  // The type requires `elapsed_days`, but the library computes it from the last review.
  return [
    memoryKey(userId, word),
    { ...card, elapsed_days: 0, due: new Date(dueMs), last_review: new Date(reviewedMs) },
  ];
}

export interface MemoryOfWord {
  userId: string;
  word: StoredWord;
  memory: Card;
}

/** @param tx a transaction that has locked the users */
export async function saveMemories(tx: Prisma.TransactionClient, learned: readonly MemoryOfWord[]): Promise<void> {
  const ofWord = (read: (word: StoredWord) => string | number | null) => arrayOf(learned, ({ word }) => read(word));
  const ofMemory = (read: (memory: Card) => number) => arrayOf(learned, ({ memory }) => read(memory));
  // The same order in all transactions prevents deadlocks.
  await tx.$executeRaw`
    INSERT INTO learned_word (user_id, ${WORD}, ${MEMORY})
    SELECT user_id, ${WORD}, to_timestamp(due), stability, difficulty, state, step, scheduled_days, reps, lapses,
           to_timestamp(reviewed_at)
      FROM unnest(${arrayOf(learned, ({ userId }) => userId)}::uuid[],
                  ${ofWord(({ word }) => word)}::uuid[],
                  ${ofWord(({ deckId }) => deckId)}::int[],
                  ${ofWord(({ listId }) => listId)}::uuid[],
                  ${ofWord(({ reverse }) => String(reverse))}::boolean[],
                  ${ofWord(({ sourceKey }) => quoted(sourceKey))}::text[],
                  ${ofWord(({ gloss }) => (gloss === null ? null : quoted(gloss)))}::text[],
                  ${ofMemory(({ due }) => due.getTime() / 1000)}::float8[],
                  ${ofMemory(({ stability }) => stability)}::float8[],
                  ${ofMemory(({ difficulty }) => difficulty)}::float8[],
                  ${ofMemory(({ state }) => state)}::smallint[],
                  ${ofMemory(({ learning_steps }) => learning_steps)}::smallint[],
                  ${ofMemory(({ scheduled_days }) => scheduled_days)}::int[],
                  ${ofMemory(({ reps }) => reps)}::int[],
                  ${ofMemory(({ lapses }) => lapses)}::int[],
                  ${ofMemory(({ last_review }) => Number(last_review) / 1000)}::float8[])
             AS m (user_id, ${WORD}, ${MEMORY})
     ORDER BY user_id, word
    ON CONFLICT (user_id, word) DO UPDATE SET gloss = EXCLUDED.gloss, ${REPLACED}`;
}

/**
 * Serialises an array in PostgreSQL's own syntax, which PostgreSQL parses faster than JSON. The driver then
 * sends one text instead of serialising each value.
 * @param read returns an item's value, in which special characters are quoted
 */
function arrayOf<T>(items: readonly T[], read: (item: T) => string | number | null): string {
  return `{${items.map((item) => read(item) ?? 'NULL').join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Adds answers to the counts of their users and quarters of an hour, in the same order in all transactions. */
export async function addReviewCounts(
  tx: Prisma.TransactionClient,
  reviews: readonly { userId: string; judgedAtMs: number }[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_count AS counted (user_id, quarter, reviews)
    SELECT user_id, to_timestamp(floor(at_ms / ${QUARTER_MS}::float8) * ${QUARTER_MS / 1000}::float8) AS quarter, count(*)
      FROM unnest(${arrayOf(reviews, ({ userId }) => userId)}::uuid[],
                  ${arrayOf(reviews, ({ judgedAtMs }) => judgedAtMs)}::float8[]) AS r (user_id, at_ms)
     GROUP BY user_id, quarter ORDER BY user_id, quarter
    ON CONFLICT (user_id, quarter) DO UPDATE SET reviews = counted.reviews + EXCLUDED.reviews`;
}

/**
 * Moves the memories of the guest's words to the account. Where both have answered a word, the memory with the later
 * answer stays, and a word that the account has suspended stays suspended. Answers that are learned afterwards count for
 * the account: a worker waits for this transaction's locks, and then finds the row of `guest_hand_over`. Repeating it
 * changes nothing.
 * @param tx a transaction that has locked both users
 */
export async function handOverProgress(
  tx: Prisma.TransactionClient,
  guestId: string,
  accountId: string,
): Promise<void> {
  await tx.$executeRaw`
      INSERT INTO guest_hand_over (guest_id, account_id)
      VALUES (${guestId}::uuid, ${accountId}::uuid)
      ON CONFLICT (guest_id) DO NOTHING`;
  await tx.$executeRaw`
      WITH theirs AS (DELETE FROM learned_word WHERE user_id = ${guestId}::uuid RETURNING *)
      INSERT INTO learned_word AS held (user_id, ${WORD}, ${MEMORY}, suspended)
      SELECT ${accountId}::uuid, ${WORD}, ${MEMORY}, suspended FROM theirs
      ON CONFLICT (user_id, word) DO UPDATE
         SET ${REPLACED}, suspended = held.suspended OR EXCLUDED.suspended
       WHERE EXCLUDED.reviewed_at > held.reviewed_at`;
  await tx.$executeRaw`
      WITH theirs AS (DELETE FROM review_count WHERE user_id = ${guestId}::uuid RETURNING *)
      INSERT INTO review_count AS held (user_id, quarter, reviews)
      SELECT ${accountId}::uuid, quarter, reviews FROM theirs
      ON CONFLICT (user_id, quarter) DO UPDATE SET reviews = held.reviews + EXCLUDED.reviews`;
}
