// Reads what a user knows of words from PostgreSQL: for the list of words, the smart order, and the progress. An index has
// the order of each statement, so that its cost depends only on what it returns or counts. [contract 13]
import { type LearnedWord, Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { ListVersion } from '../vocabulary/lists/store.ts';
import type { Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { KNOWN_STABILITY_DAYS, QUARTER_MS } from './rules.ts';
import type { WordsQuery } from './schema.ts';

/** The last character of Unicode, behind which no text that begins alike is sorted. */
const LAST_CHARACTER = '\u{10ffff}';

type LearnedState = Exclude<NonNullable<WordsQuery['state']>, 'new'>;

/** The normalised prompts that a statement reads: `limit` at most, from `from` on, each of which begins with `prefix`. */
export interface PromptRange {
  from: string;
  prefix: string;
  limit: number;
}

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
  const terms = await db.$queryRaw<WordTerm[]>`
    SELECT source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
           source_key AS "sourceKey"
      FROM term
     WHERE source_key = ANY(${prompts}::text[]) AND deck_id = ${deckId}
     ORDER BY alternative IS TRUE, target_key`;
  return { prompts, terms };
}

const CONDITIONS: Record<LearnedState, Prisma.Sql> = {
  learning: Prisma.sql`stability < ${KNOWN_STABILITY_DAYS}`,
  known: Prisma.sql`stability >= ${KNOWN_STABILITY_DAYS}`,
  suspended: Prisma.sql`suspended`,
};

export type WordTerm = Pick<Term, 'sourceText' | 'targetText' | 'sourceGloss' | 'sourceKey'>;

export type Knowledge = Pick<LearnedWord, 'word' | 'due' | 'stability' | 'suspended'>;

/** @returns by the word's id what the user knows of those of these words that the user has answered */
export async function findKnowledge(db: Database, userId: string, words: readonly string[]) {
  const rows = await db.$queryRaw<Knowledge[]>`
    SELECT word, due, stability, suspended FROM learned_word
     WHERE user_id = ${userId}::uuid AND word = ANY(${words}::uuid[])`;
  return new Map(rows.map((row) => [row.word, row]));
}

/** The deck or list of which words were learned. */
export type DeckOrListId = { deckId: number } | { listId: string; reverse: boolean };

/** @returns the words that the user has learned and not suspended, the one that becomes due first at the beginning */
export function findLearned(db: Database, userId: string, deckOrListId: DeckOrListId, limit: number) {
  const where = { userId, ...deckOrListId, suspended: false };
  return db.learnedWord.findMany({ where, orderBy: { due: 'asc' }, take: limit, select: { word: true, due: true } });
}

/** Does what `findLearned` does, but passes over words that have left their deck or its topic, which takes longer. */
export function findLearnedInDeck(
  db: Database,
  userId: string,
  { deckId, topic = null }: { deckId: number; topic?: string | null | undefined },
  limit: number,
) {
  return db.$queryRaw<Pick<LearnedWord, 'word' | 'due'>[]>`
    SELECT word, due FROM learned_word w
     WHERE user_id = ${userId}::uuid AND deck_id = ${deckId} AND NOT suspended
       AND EXISTS (SELECT FROM term t
                    WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                      AND (${topic}::text IS NULL OR t.field = ${topic} AND t.word = w.word))
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

/**
 * @param words words that the user has learned of a deck
 * @returns their terms, none if a word has left the deck, and the keys of all accepted translations of the prompt
 */
export function findTermsOfWords(
  db: Database,
  userId: string,
  { sourceLanguage, targetLanguage }: Deck,
  words: readonly string[],
): Promise<{ word: string; terms: Term[]; accepted: string[] }[]> {
  const term = Prisma.sql`jsonb_build_object(
    'sourceText', t.source_text, 'targetText', t.target_text, 'sourceGloss', t.source_gloss,
    'sourceKey', t.source_key, 'targetKey', t.target_key, 'field', t.field)`;
  return db.$queryRaw`
    SELECT w.word,
           coalesce((
             SELECT jsonb_agg(${term}) FROM term t
              WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                AND t.word = w.word AND t.alternative IS NOT TRUE), '[]') AS terms,
           ARRAY(
             SELECT a.target_key FROM term a
              WHERE a.source_key = w.source_key
                AND a.deck_id = ANY(ARRAY(
                      SELECT id FROM deck WHERE source_language = ${sourceLanguage}
                         AND target_language = ${targetLanguage}))) AS accepted
      FROM learned_word w
     WHERE w.user_id = ${userId}::uuid AND w.word = ANY(${words}::uuid[])`;
}

/** Matches a learned word `w` that its deck still has. */
const IS_IN_DECK = Prisma.sql`
  EXISTS (SELECT FROM term t WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id AND t.word = w.word)`;

/**
 * @param now the time at which words count as due
 * @returns the decks of which the user has answered a word that can still be asked, in any order
 */
export function findDeckProgress(db: Database, userId: string, now: Date) {
  return db.$queryRaw<(Deck & { seen: number; known: number; due: number })[]>`
    SELECT d.source_language AS "sourceLanguage", d.target_language AS "targetLanguage", d.pos,
           d.difficulty, p.seen, p.known, p.due
      FROM (SELECT w.deck_id, count(*)::int AS seen,
                   count(*) FILTER (WHERE w.stability >= ${KNOWN_STABILITY_DAYS})::int AS known,
                   count(*) FILTER (WHERE w.due <= ${now} AND NOT w.suspended)::int AS due
              FROM learned_word w
             WHERE w.user_id = ${userId}::uuid AND ${IS_IN_DECK}
             GROUP BY w.deck_id) p
      JOIN deck d ON d.id = p.deck_id`;
}

/**
 * @param before the end of the forecast
 * @returns how many words of decks become due in each quarter of an hour before then; words that are due already
 *   count for that of `now`
 */
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

/** A list, in one direction, with the ids of its words that a user has answered; the list may have lost some of these words. */
export interface LearnedList extends ListVersion {
  name: string;
  questions: number;
  seen: string[];
  known: string[];
  /** The words that become due in the period of the forecast, and the times at which they do, ms. */
  planned: string[];
  plannedMs: number[];
}

/**
 * @param before the end of the forecast
 * @returns the user's lists, the last changed first, then the shared ones with words that were answered; each direction
 *   by itself, the other one only where words of it were answered
 */
export async function findLearnedLists(db: Database, userId: string, before: Date): Promise<LearnedList[]> {
  const isPlanned = Prisma.sql`WHERE NOT suspended AND due < ${before}`;
  return db.$queryRaw<LearnedList[]>`
    WITH learned AS (
      SELECT list_id, reverse, array_agg(word) AS seen,
             coalesce(array_agg(word) FILTER (WHERE stability >= ${KNOWN_STABILITY_DAYS}), '{}') AS known,
             array_agg(word) FILTER (${isPlanned}) AS planned,
             array_agg(date_part('epoch', due) * 1000) FILTER (${isPlanned}) AS planned_ms
        FROM learned_word
       WHERE user_id = ${userId}::uuid AND list_id IS NOT NULL
       GROUP BY list_id, reverse
    ), directions (is_reverse) AS (VALUES (false), (true))
    SELECT l.id AS "listId", is_reverse AS reverse, l.name, l.version, l.question_count AS questions,
           coalesce(seen, '{}') AS seen, coalesce(known, '{}') AS known,
           coalesce(planned, '{}') AS planned, coalesce(planned_ms, '{}') AS "plannedMs"
      FROM word_list l CROSS JOIN directions LEFT JOIN learned ON list_id = l.id AND reverse = is_reverse
     WHERE (l.owner_id = ${userId}::uuid AND NOT is_reverse)
        OR ((l.owner_id = ${userId}::uuid OR l.shared) AND seen IS NOT NULL)
     ORDER BY l.owner_id = ${userId}::uuid DESC, l.updated_at DESC, l.id, is_reverse`;
}

/** @returns the number of a user's answers in each quarter of an hour of the period, the latest first */
export async function findReviewCounts(db: Database, userId: string, { from, before }: { from: Date; before: Date }) {
  const rows = await db.reviewCount.findMany({
    where: { userId, quarter: { gte: from, lt: before } },
    orderBy: { quarter: 'desc' },
    select: { quarter: true, reviews: true },
  });
  return rows.map(({ quarter, reviews }) => ({ quarterMs: quarter.getTime(), reviews }));
}
