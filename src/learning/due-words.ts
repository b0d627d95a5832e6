// Reads the words that a user has learned of a deck or list, in the order in which they become due. An index
// has this order, so that the cost of a statement depends only on what it returns. [contract 13]
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Term } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';

/** A learned word, by the id that word-ids.ts gives it. */
export interface DueWord {
  word: string;
  due: Date;
}

/** The deck or list of which words were learned. */
export type DeckOrListId = { deckId: number } | { listId: string };

/**
 * @param limit the maximum number of words
 * @returns the words that the user has learned and not suspended, the one that becomes due first at the beginning
 */
export function findLearned(
  db: Database,
  userId: string,
  deckOrListId: DeckOrListId,
  limit: number,
): Promise<DueWord[]> {
  return db.learnedWord.findMany({
    where: { userId, ...deckOrListId, suspended: false },
    orderBy: { due: 'asc' },
    take: limit,
    select: { word: true, due: true },
  });
}

/** Does what `findLearned` does, but passes over words that have left their deck, which takes longer. */
export function findLearnedInDeck(db: Database, userId: string, deckId: number, limit: number): Promise<DueWord[]> {
  return db.$queryRaw<DueWord[]>`
    SELECT word, due FROM learned_word w
     WHERE user_id = ${userId}::uuid AND deck_id = ${deckId} AND NOT suspended
       AND EXISTS (SELECT FROM term t WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id)
     ORDER BY due LIMIT ${limit}`;
}

/** @returns at most `limit` of these words that the user has never answered */
export async function findNeverAnswered(
  db: Database,
  userId: string,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ word: string }[]>`
    SELECT asked.word FROM unnest(${words}::uuid[]) AS asked (word)
     WHERE NOT EXISTS (
       SELECT FROM learned_word w WHERE w.user_id = ${userId}::uuid AND w.word = asked.word)
     LIMIT ${limit}`;
  return rows.map(({ word }) => word);
}

/** A learned word of a deck of which a replica has only a sample, with all that a question needs. */
interface LearnedWord {
  word: string;
  /** Empty if the word has left the deck. */
  terms: Term[];
  /** The keys of all accepted translations of the prompt. */
  accepted: string[];
}

/** @param words words that the user has learned of the deck */
export function findTermsOfWords(
  db: Database,
  userId: string,
  { sourceLanguage, targetLanguage }: Deck,
  words: readonly string[],
): Promise<LearnedWord[]> {
  const term = Prisma.sql`jsonb_build_object(
    'sourceText', t.source_text, 'targetText', t.target_text, 'sourceGloss', t.source_gloss,
    'sourceKey', t.source_key, 'targetKey', t.target_key, 'field', t.field)`;
  return db.$queryRaw<LearnedWord[]>`
    SELECT w.word,
           coalesce((
             SELECT jsonb_agg(${term}) FROM term t
              WHERE t.source_key = w.source_key AND t.deck_id = w.deck_id
                AND t.word = w.word), '[]') AS terms,
           ARRAY(
             SELECT a.target_key FROM term a
              WHERE a.source_key = w.source_key
                AND a.deck_id = ANY(ARRAY(
                      SELECT id FROM deck WHERE source_language = ${sourceLanguage}
                         AND target_language = ${targetLanguage}))) AS accepted
      FROM learned_word w
     WHERE w.user_id = ${userId}::uuid AND w.word = ANY(${words}::uuid[])`;
}
