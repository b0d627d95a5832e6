// Reads what a user knows of words from PostgreSQL. An index has the order of each statement, so that its cost depends
// only on what it returns or counts. [contract 13]
import { type LearnedWord, Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { ListVersion } from '../vocabulary/lists/store.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { findTranslations } from '../vocabulary/store.ts';
import { KNOWN_STABILITY_DAYS, QUARTER_MS } from './rules.ts';
import type { WordsQuery } from './schema.ts';

/** The last character of Unicode, behind which no text that begins alike is sorted. */
const LAST_CHARACTER = '\u{10ffff}';

type LearnedState = Exclude<NonNullable<WordsQuery['state']>, 'new'>;

/** The normalised prompts that a statement reads: `limit` at most, from `from` on, each of which begins with `prefix`. */
export type PromptRange = { from: string; prefix: string; limit: number };

/**
 * @param learned leaves those prompts that a user has learned in a state
 * @returns the different normalised prompts of a deck, in the order of their code points, and their terms
 */
export async function findWords(
  db: Database,
  deckId: number,
  { from, prefix, limit }: PromptRange,
  learned?: { userId: string; state: LearnedState },
) {
  const source = learned
    ? Prisma.sql`learned_word WHERE user_id = ${learned.userId}::uuid AND ${CONDITIONS[learned.state]} AND`
    : Prisma.sql`term WHERE`;
  const start = from < prefix ? prefix : from;
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT source_key COLLATE "C" AS key FROM ${source}
           deck_id = ${deckId} AND source_key COLLATE "C" >= ${start}
       AND source_key COLLATE "C" < ${prefix + LAST_CHARACTER}
     ORDER BY key LIMIT ${limit}`;
  const prompts = rows.map(({ key }) => key);
  return { prompts, terms: await findTranslations(db, deckId, prompts) };
}

const CONDITIONS: Record<LearnedState, Prisma.Sql> = {
  learning: Prisma.sql`stability < ${KNOWN_STABILITY_DAYS}`,
  known: Prisma.sql`stability >= ${KNOWN_STABILITY_DAYS}`,
  suspended: Prisma.sql`suspended`,
};

export type Knowledge = Pick<LearnedWord, 'word' | 'due' | 'stability' | 'suspended'>;

/** @returns by the word's id what the user knows of those of these words that were answered */
export async function findKnowledge(db: Database, userId: string, words: readonly string[]) {
  const rows = await db.$queryRaw<Knowledge[]>`
    SELECT word, due, stability, suspended FROM learned_word
     WHERE user_id = ${userId}::uuid AND word = ANY(${words}::uuid[])`;
  return new Map(rows.map((row) => [row.word, row]));
}

/** A list in one direction, a deck, or a topic of it. */
type Origin = { [Field in 'listId' | 'topic']?: string | undefined } & {
  reverse?: boolean | undefined;
  deckId?: number | undefined;
};

export type Learned = Pick<LearnedWord, 'word' | 'due' | 'sourceKey'>;

/**
 * @param isInDeck whether words that have left their deck, or the topic, are passed over, which takes longer
 * @returns the words that the user has learned and not suspended, the one that becomes due first at the beginning
 */
export function findLearned(
  db: Database,
  userId: string,
  { listId, reverse = false, deckId, topic }: Origin,
  limit: number,
  isInDeck: boolean,
) {
  const isOfWords = listId
    ? Prisma.sql`list_id = ${listId}::uuid AND reverse = ${reverse}`
    : Prisma.sql`deck_id = ${deckId ?? null}`;
  const isLeft = Prisma.sql`
    EXISTS (SELECT FROM term t
             WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
               AND (${topic ?? null}::text IS NULL OR t.field = ${topic ?? null} AND t.word = w.word))`;
  return db.$queryRaw<Learned[]>`
    SELECT word, due, source_key AS "sourceKey" FROM learned_word w
     WHERE user_id = ${userId}::uuid AND ${isOfWords} AND NOT suspended AND ${isInDeck ? isLeft : Prisma.sql`true`}
     ORDER BY due LIMIT ${limit}`;
}

/** @returns at most `limit` of these words that the user has never answered */
export async function findNeverAnswered(db: Database, userId: string, words: readonly string[], limit: number) {
  const rows = await db.$queryRaw<{ word: string }[]>`
    SELECT asked.word FROM unnest(${words}::uuid[]) AS asked (word)
     WHERE NOT EXISTS (
       SELECT FROM learned_word w WHERE w.user_id = ${userId}::uuid AND w.word = asked.word)
     LIMIT ${limit}`;
  return rows.map(({ word }) => word);
}

/** Matches a learned word `w` that its deck still has. */
const IS_IN_DECK = Prisma.sql`
  EXISTS (SELECT FROM term t WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id AND t.word = w.word)`;

/** @returns the decks of which the user has answered a word that can still be asked, in any order */
export function findDeckProgress(db: Database, userId: string, now: Date) {
  return db.$queryRaw<(Deck & Record<'questions' | 'seen' | 'known' | 'due', number>)[]>`
    SELECT d.source_language AS "sourceLanguage", d.target_language AS "targetLanguage", d.pos,
           d.difficulty, d.question_count AS questions, p.seen, p.known, p.due
      FROM (SELECT w.deck_id, count(*)::int AS seen,
                   count(*) FILTER (WHERE w.stability >= ${KNOWN_STABILITY_DAYS})::int AS known,
                   count(*) FILTER (WHERE w.due <= ${now} AND NOT w.suspended)::int AS due
              FROM learned_word w
             WHERE w.user_id = ${userId}::uuid AND ${IS_IN_DECK}
             GROUP BY w.deck_id) p
      JOIN deck d ON d.id = p.deck_id`;
}

/** @returns how many words of decks become due in each quarter of an hour; in that of `now`, overdue ones too */
export async function findPlannedInDecks(db: Database, userId: string, { now, before }: { now: Date; before: Date }) {
  const rows = await db.$queryRaw<{ quarter: number; words: number }[]>`
    SELECT floor(date_part('epoch', greatest(w.due, ${now}::timestamptz)) * 1000 / ${QUARTER_MS}::int)::int AS quarter,
           count(*)::int AS words
      FROM learned_word w
     WHERE w.user_id = ${userId}::uuid AND w.deck_id IS NOT NULL
       AND NOT w.suspended AND w.due < ${before} AND ${IS_IN_DECK}
     GROUP BY quarter`;
  return rows.map(({ quarter, words }) => ({ dueMs: quarter * QUARTER_MS, words }));
}

/** A list, in one direction, with the words of it that a user has answered; it may have lost some of them. */
export interface LearnedList extends ListVersion {
  name: string;
  questions: number;
  /** `dueMs` is null for a word that does not become due in the period of the forecast. */
  learned: { word: string; isKnown: boolean; dueMs: number | null }[];
}

/**
 * @param before the end of the forecast
 * @returns the user's lists, the last changed first, then the shared ones with words that were answered; each direction
 *   by itself, the other one only with words that were answered
 */
export async function findLearnedLists(db: Database, userId: string, before: Date): Promise<LearnedList[]> {
  return db.$queryRaw<LearnedList[]>`
    WITH answered AS (
      SELECT list_id, reverse, json_agg(json_build_object(
               'word', word, 'isKnown', stability >= ${KNOWN_STABILITY_DAYS},
               'dueMs', CASE WHEN NOT suspended AND due < ${before} THEN date_part('epoch', due) * 1000 END)) AS learned
        FROM learned_word
       WHERE user_id = ${userId}::uuid AND list_id IS NOT NULL
       GROUP BY list_id, reverse
    ), directions (is_reverse) AS (VALUES (false), (true))
    SELECT l.id AS "listId", is_reverse AS reverse, l.name, l.version, l.question_count AS questions,
           coalesce(learned, '[]') AS learned
      FROM word_list l CROSS JOIN directions LEFT JOIN answered ON list_id = l.id AND reverse = is_reverse
     WHERE (l.owner_id = ${userId}::uuid AND NOT is_reverse)
        OR ((l.owner_id = ${userId}::uuid OR l.shared) AND learned IS NOT NULL)
     ORDER BY l.owner_id = ${userId}::uuid DESC, l.updated_at DESC, l.id, is_reverse`;
}

/** @returns the number of a user's answers in each quarter of an hour from a time on */
export async function findReviewCounts(db: Database, userId: string, from: Date) {
  const rows = await db.reviewCount.findMany({
    where: { userId, quarter: { gte: from } },
    select: { quarter: true, reviews: true },
  });
  return rows.map(({ quarter, reviews }) => ({ quarterMs: quarter.getTime(), reviews }));
}
