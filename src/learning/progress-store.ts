// Reads the progress of a user from PostgreSQL, which counts it. [contract 13]
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { KNOWN_STABILITY_DAYS, type PlannedWords, QUARTER_MS, type ReviewCount } from './rules.ts';

/** The counts of a deck's words that a user has answered. */
interface DeckProgress extends Deck {
  seen: number;
  known: number;
  due: number;
}

/**
 * @param now the time at which words count as due
 * @returns the decks of which the user has answered a word that can still be asked, in any order
 */
export async function findDeckProgress(db: Database, userId: string, now: Date): Promise<DeckProgress[]> {
  return db.$queryRaw<DeckProgress[]>`
    SELECT d.source_language AS "sourceLanguage", d.target_language AS "targetLanguage", d.pos,
           d.difficulty, p.seen, p.known, p.due
      FROM (SELECT w.deck_id, count(*)::int AS seen,
                   count(*) FILTER (WHERE w.stability >= ${KNOWN_STABILITY_DAYS})::int AS known,
                   count(*) FILTER (WHERE w.due <= ${now} AND NOT w.suspended)::int AS due
              FROM learned_word w
             WHERE w.user_id = ${userId}::uuid
               AND EXISTS (SELECT 1 FROM term t
                            WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                              AND t.word = w.word)
             GROUP BY w.deck_id) p
      JOIN deck d ON d.id = p.deck_id`;
}

/**
 * @param before the end of the forecast
 * @returns how many words of decks become due in each quarter of an hour before then; words that are due already
 *   count for that of `now`
 */
export async function findPlannedInDecks(
  db: Database,
  userId: string,
  { now, before }: { now: Date; before: Date },
): Promise<PlannedWords[]> {
  const rows = await db.$queryRaw<{ quarter: number; words: number }[]>`
    SELECT floor(date_part('epoch', greatest(w.due, ${now}::timestamptz)) * 1000 / ${QUARTER_MS}::int)::int AS quarter,
           count(*)::int AS words
      FROM learned_word w
     WHERE w.user_id = ${userId}::uuid AND w.deck_id IS NOT NULL
       AND NOT w.suspended AND w.due < ${before}
       AND EXISTS (SELECT 1 FROM term t
                    WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                      AND t.word = w.word)
     GROUP BY quarter`;
  return rows.map(({ quarter, words }) => ({ dueMs: quarter * QUARTER_MS, words }));
}

/** A list with the ids of its words that a user has answered; the list may have lost some of these words. */
export interface LearnedList {
  listId: string;
  name: string;
  version: number;
  questions: number;
  seen: string[];
  known: string[];
  /** The words that become due in the period of the forecast, and the times at which they do, ms. */
  planned: string[];
  plannedMs: number[];
}

/**
 * @param before the end of the forecast
 * @returns the user's lists, the last changed first, then the shared ones with words that were answered
 */
export async function findLearnedLists(db: Database, userId: string, before: Date): Promise<LearnedList[]> {
  const isPlanned = Prisma.sql`WHERE NOT suspended AND due < ${before}`;
  return db.$queryRaw<LearnedList[]>`
    WITH learned AS (
      SELECT list_id, array_agg(word) AS seen,
             coalesce(array_agg(word) FILTER (WHERE stability >= ${KNOWN_STABILITY_DAYS}), '{}') AS known,
             array_agg(word) FILTER (${isPlanned}) AS planned,
             array_agg(date_part('epoch', due) * 1000) FILTER (${isPlanned}) AS planned_ms
        FROM learned_word
       WHERE user_id = ${userId}::uuid AND list_id IS NOT NULL
       GROUP BY list_id
    )
    SELECT l.id AS "listId", l.name, l.version, l.question_count AS questions,
           coalesce(seen, '{}') AS seen, coalesce(known, '{}') AS known,
           coalesce(planned, '{}') AS planned, coalesce(planned_ms, '{}') AS "plannedMs"
      FROM word_list l LEFT JOIN learned ON list_id = l.id
     WHERE l.owner_id = ${userId}::uuid OR (l.shared AND seen IS NOT NULL)
     ORDER BY l.owner_id = ${userId}::uuid DESC, l.updated_at DESC, l.id`;
}

/** @returns the number of a user's answers in each quarter of an hour of the period, the latest first */
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
