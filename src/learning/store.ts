// What is known of learners and words, in PostgreSQL.
import type { Database } from '../platform/postgres.ts';
import { wordsName } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { KNOWN_STABILITY_DAYS, type Memory, type ReviewCount } from './rules.ts';

/** The key of the advisory lock under which judged answers are written; hand-overs share it. */
export const LOCK_KEY = 72_707_371;

/** What is written together. */
export type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/** The deck or the list that a word is in. */
export type WordPlace = { deckId: number; listId: null } | { deckId: null; listId: string };

/** A word as it is stored beside what is known of it. */
export type PlacedWord = WordPlace & {
  /** See word-ids.ts. */
  word: string;
  sourceKey: string;
  gloss: string | null;
};

/** Names what is known of a user and a word. */
export const memoryKey = (userId: string, word: string) => `${userId} ${word}`;

/**
 * Makes this transaction the only one that writes judged answers.
 * @returns how far the queues in these slots are written; null when another transaction writes
 */
export async function lockQueues(
  tx: Transaction,
  slots: number[],
): Promise<Map<number, string> | null> {
  const [lock] = await tx.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS mine`;
  if (!lock?.mine) return null;
  const rows = await tx.judgedPosition.findMany({ where: { queue: { in: slots } } });
  return new Map(rows.map(({ queue, position }) => [queue, position]));
}

/** Notes how far queues are written. */
export async function savePositions(
  tx: Transaction,
  positions: ReadonlyMap<number, string>,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO judged_position (queue, position)
    SELECT * FROM unnest(${[...positions.keys()]}::int[], ${[...positions.values()]}::text[])
    ON CONFLICT (queue) DO UPDATE SET position = EXCLUDED.position`;
}

/** @returns the accounts that these guests have become; nothing of all other users */
export async function findHandOvers(
  tx: Transaction,
  userIds: string[],
): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ guestId: string; accountId: string }[]>`
    SELECT guest_id AS "guestId", account_id AS "accountId" FROM guest_hand_over
     WHERE guest_id = ANY(${arrayOf(userIds, (id) => id)}::uuid[])`;
  return new Map(rows.map(({ guestId, accountId }) => [guestId, accountId]));
}

/** @returns where words are, by the names of their decks and lists; nothing of those that are gone */
export async function findPlaces(
  tx: Transaction,
  names: string[],
): Promise<Map<string, WordPlace>> {
  const lists = names.flatMap((name) => name.match(/^list (.+)$/)?.[1] ?? []);
  const decks = names.filter((name) => !name.startsWith('list ')).map((name) => name.split(' '));
  const [foundDecks, foundLists] = [
    await tx.deck.findMany({
      where: {
        OR: decks.map(([sourceLanguage = '', targetLanguage = '', pos = '', difficulty = '']) => {
          return { sourceLanguage, targetLanguage, pos, difficulty };
        }),
      },
    }),
    await tx.wordList.findMany({ where: { id: { in: lists } }, select: { id: true } }),
  ];
  return new Map<string, WordPlace>([
    ...foundDecks.map(
      (row) => [wordsName(row as unknown as Deck), { deckId: row.id, listId: null }] as const,
    ),
    ...foundLists.map(
      ({ id: listId }) => [wordsName({ listId }), { deckId: null, listId }] as const,
    ),
  ]);
}

/**
 * @returns what is known of these users and words, by `memoryKey`; nothing of one that was never answered.
 * It comes as one text: rows of many columns would cost the worker more than all that it does with them.
 */
export async function findMemories(
  tx: Transaction,
  keys: readonly { userId: string; word: string }[],
): Promise<Map<string, Memory>> {
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

function parseMemory(text: string): [string, Memory] {
  const [userId = '', word = '', ...rest] = text.split(' ');
  const [stability, difficulty, state, step, scheduledDays, reps, lapses, dueMs, reviewedMs] =
    rest.map(Number) as [number, number, number, number, number, number, number, number, number];
  const counts = { state, step, scheduledDays, reps, lapses };
  return [memoryKey(userId, word), { stability, difficulty, ...counts, dueMs, reviewedMs }];
}

/** Of an answer to a word what came of it. */
export interface Learned {
  userId: string;
  word: PlacedWord;
  memory: Memory;
}

/** Users who are no more are passed over: what an account leaves behind is nothing. */
export async function saveMemories(tx: Transaction, learned: readonly Learned[]): Promise<void> {
  const ofWord = (read: (word: PlacedWord) => string | number | null) =>
    arrayOf(learned, ({ word }) => read(word));
  const ofMemory = (field: keyof Memory) => arrayOf(learned, ({ memory }) => memory[field]);
  const secondsOf = (field: 'dueMs' | 'reviewedMs') =>
    arrayOf(learned, ({ memory }) => memory[field] / 1000);
  await tx.$executeRaw`
    INSERT INTO learned_word (user_id, word, deck_id, list_id, source_key, gloss, due, stability, difficulty,
                              state, step, scheduled_days, reps, lapses, reviewed_at)
    SELECT user_id, word, deck_id, list_id, source_key, gloss, to_timestamp(due), stability, difficulty,
           state, step, scheduled_days, reps, lapses, to_timestamp(reviewed_at)
      FROM unnest(${arrayOf(learned, ({ userId }) => userId)}::uuid[],
                  ${ofWord(({ word }) => word)}::uuid[],
                  ${ofWord(({ deckId }) => deckId)}::int[],
                  ${ofWord(({ listId }) => listId)}::uuid[],
                  ${ofWord(({ sourceKey }) => quoted(sourceKey))}::text[],
                  ${ofWord(({ gloss }) => (gloss === null ? null : quoted(gloss)))}::text[],
                  ${secondsOf('dueMs')}::float8[],
                  ${ofMemory('stability')}::float8[],
                  ${ofMemory('difficulty')}::float8[],
                  ${ofMemory('state')}::smallint[],
                  ${ofMemory('step')}::smallint[],
                  ${ofMemory('scheduledDays')}::int[],
                  ${ofMemory('reps')}::int[],
                  ${ofMemory('lapses')}::int[],
                  ${secondsOf('reviewedMs')}::float8[])
             AS m (user_id, word, deck_id, list_id, source_key, gloss, due, stability, difficulty,
                   state, step, scheduled_days, reps, lapses, reviewed_at)
      JOIN "user" ON "user".id = m.user_id
    ON CONFLICT (user_id, word) DO UPDATE
       SET gloss = EXCLUDED.gloss, due = EXCLUDED.due, stability = EXCLUDED.stability,
           difficulty = EXCLUDED.difficulty, state = EXCLUDED.state, step = EXCLUDED.step,
           scheduled_days = EXCLUDED.scheduled_days, reps = EXCLUDED.reps,
           lapses = EXCLUDED.lapses, reviewed_at = EXCLUDED.reviewed_at`;
}

/**
 * @param read gives an item's value, without anything that an array's text would have to quote
 * @returns the text of an array, which PostgreSQL reads sooner than JSON; of an array of JavaScript each
 * value would be looked at on the way
 */
function arrayOf<T>(items: readonly T[], read: (item: T) => string | number | null): string {
  return `{${items.map((item) => read(item) ?? 'NULL').join(',')}}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Adds to how many answers were judged. @param counts one a user and quarter of an hour */
export async function addReviewCounts(
  tx: Transaction,
  counts: { userId: string; quarter: string; reviews: number }[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_count AS counted (user_id, quarter, reviews)
    SELECT c."userId", c.quarter, c.reviews
      FROM jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
             AS c ("userId" uuid, quarter timestamptz, reviews int)
      JOIN "user" ON "user".id = c."userId"
    ON CONFLICT (user_id, quarter) DO UPDATE SET reviews = counted.reviews + EXCLUDED.reviews`;
}

/** What a user knows of a deck. */
export interface DeckProgress extends Deck {
  seen: number;
  known: number;
  due: number;
}

/**
 * @param now by which words are due
 * @returns the decks of which the user has answered a word that can still be asked, in any order
 */
export async function findDeckProgress(
  db: Database,
  userId: string,
  now: Date,
): Promise<DeckProgress[]> {
  return db.$queryRaw<DeckProgress[]>`
    SELECT d.source_language AS "sourceLanguage", d.target_language AS "targetLanguage", d.pos,
           d.difficulty, p.seen, p.known, p.due
      FROM (SELECT w.deck_id, count(*)::int AS seen,
                   count(*) FILTER (WHERE w.stability >= ${KNOWN_STABILITY_DAYS})::int AS known,
                   count(*) FILTER (WHERE w.due <= ${now})::int AS due
              FROM learned_word w
             WHERE w.user_id = ${userId}::uuid
               AND EXISTS (SELECT 1 FROM term t
                            WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                              AND lower(t.source_gloss) IS NOT DISTINCT FROM lower(w.gloss))
             GROUP BY w.deck_id) p
      JOIN deck d ON d.id = p.deck_id`;
}

/** A list with the words of it that a user has answered, as they are stored; some may have left it. */
export interface LearnedList {
  listId: string;
  name: string;
  version: number;
  questions: number;
  seen: string[];
  known: string[];
  due: string[];
}

/** @returns a user's own lists, the last changed first, and those shared ones that have words of the user's */
export async function findLearnedLists(
  db: Database,
  userId: string,
  now: Date,
): Promise<LearnedList[]> {
  return db.$queryRaw<LearnedList[]>`
    WITH learned AS (
      SELECT list_id, array_agg(word) AS seen,
             coalesce(array_agg(word) FILTER (WHERE stability >= ${KNOWN_STABILITY_DAYS}), '{}') AS known,
             coalesce(array_agg(word) FILTER (WHERE due <= ${now}), '{}') AS due
        FROM learned_word
       WHERE user_id = ${userId}::uuid AND list_id IS NOT NULL
       GROUP BY list_id
    )
    SELECT l.id AS "listId", l.name, l.version, l.question_count AS questions,
           coalesce(seen, '{}') AS seen, coalesce(known, '{}') AS known, coalesce(due, '{}') AS due
      FROM word_list l LEFT JOIN learned ON list_id = l.id
     WHERE l.owner_id = ${userId}::uuid OR (l.shared AND seen IS NOT NULL)
     ORDER BY l.owner_id = ${userId}::uuid DESC, l.updated_at DESC, l.id`;
}

/**
 * How many answers a user gave in each quarter of an hour, the latest first.
 * @param from and before: of which time
 */
export async function findReviewCounts(
  db: Database,
  userId: string,
  { from, before }: { from: Date; before: Date },
): Promise<ReviewCount[]> {
  const rows = await db.reviewCount.findMany({
    where: { userId, quarter: { gte: from, lt: before } },
    orderBy: { quarter: 'desc' },
    select: { quarter: true, reviews: true },
  });
  return rows.map(({ quarter, reviews }) => ({ quarterMs: quarter.getTime(), reviews }));
}
