// What a user has learned of a deck or list, by the time at which it becomes due, in PostgreSQL: an index
// finds these words, and they are put in order when they are asked for, since answers are many and such
// starts are few. [contract 13]
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres.ts';
import type { ListHead } from '../vocabulary/lists/store.ts';
import type { Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { SAMPLE_SIZE } from '../vocabulary/store.ts';

/** More than a deck that is held whole can have; of those that have left it a few may come before. */
const MAX_WORDS = 2 * SAMPLE_SIZE;

/** The learned words of a deck or list: the first `due` of them are due. */
export interface WordsByDue {
  /** As word-ids.ts names them, by the time at which they become due. */
  ids: string[];
  due: number;
}

/** @param words a deck or list that a replica holds whole */
export async function findWordsByDue(
  db: Database,
  userId: string,
  words: Deck | ListHead,
  now: Date,
): Promise<WordsByDue> {
  const place =
    'listId' in words
      ? Prisma.sql`list_id = ${words.listId}::uuid`
      : Prisma.sql`deck_id = (
          SELECT id FROM deck
           WHERE source_language = ${words.sourceLanguage}
             AND target_language = ${words.targetLanguage}
             AND pos = ${words.pos} AND difficulty = ${words.difficulty})`;
  // As one text: an array of rows costs the replica more than all the rest of a start.
  const [row] = await db.$queryRaw<[Row]>`
    SELECT string_agg(word::text, ' ' ORDER BY due) AS ids,
           count(*) FILTER (WHERE due <= ${now})::int AS due
      FROM (SELECT word, due FROM learned_word
             WHERE user_id = ${userId}::uuid AND ${place}
             ORDER BY due LIMIT ${MAX_WORDS}) AS learned`;
  return { ids: row.ids?.split(' ') ?? [], due: row.due };
}

interface Row {
  ids: string | null;
  due: number;
}

/** A learned word of a deck of which a replica holds only a part, with all that a question needs. */
export interface LearnedWord {
  sourceKey: string;
  isDue: boolean;
  /** None where the word has left the deck. */
  terms: Term[];
  /** The keys of all that is right for the prompt. */
  accepted: string[];
}

/**
 * @param options.limit learned words at most, those first that are due first
 * @param options.tried words that may never have been answered
 * @returns `known`: those of `tried` that were
 */
export async function findWordsOfLargeDeck(
  db: Database,
  userId: string,
  deck: Deck,
  { now, limit, tried }: { now: Date; limit: number; tried: string[] },
): Promise<{ learned: LearnedWord[]; known: string[] }> {
  const { sourceLanguage, targetLanguage, pos, difficulty } = deck;
  const [row] = await db.$queryRaw<[{ learned: LearnedWord[] | null; known: string[] | null }]>`
    WITH direction AS (
      SELECT id, pos = ${pos} AND difficulty = ${difficulty} AS "isAsked" FROM deck
       WHERE source_language = ${sourceLanguage} AND target_language = ${targetLanguage}
    ), first AS (
      SELECT * FROM learned_word
       WHERE user_id = ${userId}::uuid AND deck_id = (SELECT id FROM direction WHERE "isAsked")
       ORDER BY due LIMIT ${limit}
    )
    SELECT (SELECT jsonb_agg(jsonb_build_object(
                     'sourceKey', w.source_key, 'isDue', w.due <= ${now},
                     'terms', coalesce((
                       SELECT jsonb_agg(jsonb_build_object(
                                'sourceText', t.source_text, 'targetText', t.target_text,
                                'sourceGloss', t.source_gloss, 'sourceKey', t.source_key,
                                'targetKey', t.target_key, 'field', t.field))
                         FROM term t
                        WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                          AND lower(t.source_gloss) IS NOT DISTINCT FROM lower(w.gloss)), '[]'),
                     'accepted', coalesce((
                       SELECT jsonb_agg(a.target_key) FROM term a
                        WHERE a.source_key = w.source_key
                          AND a.deck_id = ANY(ARRAY(SELECT id FROM direction))), '[]'))
                   ORDER BY w.due)
              FROM first w) AS learned,
           (SELECT array_agg(word) FROM learned_word
             WHERE user_id = ${userId}::uuid AND word = ANY(${tried}::uuid[])) AS known`;
  return { learned: row.learned ?? [], known: row.known ?? [] };
}

/** @returns those of the words that the user has answered */
export async function findKnown(db: Database, userId: string, words: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ word: string }[]>`
    SELECT word FROM learned_word
     WHERE user_id = ${userId}::uuid AND word = ANY(${words}::uuid[])`;
  return rows.map(({ word }) => word);
}
