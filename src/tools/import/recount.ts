// Counts the terms of changed decks by their source, and the questions that they give. The counts are stored
// with the deck, since counting a million terms takes too long for a request. [contract 3, 13]
import type { Client } from 'pg';

/** Counts each deck's terms, also by their source. */
const COUNT_TERMS = `
  UPDATE deck
     SET term_count = counted.terms, sources = counted.sources
    FROM (SELECT deck_id, sum(terms)::int AS terms,
                 jsonb_agg(jsonb_build_object('name', s.name, 'licence', s.licence, 'terms', terms)
                           ORDER BY terms DESC, s.name) AS sources
            FROM (SELECT deck_id, source_id, count(*) AS terms
                    FROM term WHERE deck_id = ANY($1) GROUP BY deck_id, source_id) AS by_source
            JOIN source s ON s.id = source_id
           GROUP BY deck_id) AS counted
   WHERE deck.id = counted.deck_id`;

/**
 * Counts the different pairs of prompt and gloss that have three distractors, by the rules of
 * src/vocabulary/rules.ts, and those of each topic: a distractor is an answer of the deck that no deck of the direction accepts for
 * the prompt. A prompt with at most 27 translations always has three in a deck of more than 30 answers, so
 * that the accepted answers are counted only for the other prompts.
 */
const COUNT_QUESTIONS = `
  WITH counted AS (
    SELECT d.id, d.source_language, d.target_language
      FROM deck d
     WHERE (d.source_language, d.target_language) IN (
             SELECT source_language, target_language FROM deck WHERE id = ANY($1))
  ), answers AS (
    SELECT deck_id, count(DISTINCT target_key) AS answers
      FROM term WHERE deck_id IN (SELECT id FROM counted) AND alternative IS NOT TRUE GROUP BY deck_id
  ), crowded AS (
    SELECT source_language, target_language, source_key
      FROM term JOIN counted ON counted.id = term.deck_id
     GROUP BY source_language, target_language, source_key HAVING count(*) > 27
  ), word AS (
    SELECT DISTINCT deck_id, source_key, word, field
      FROM term WHERE deck_id IN (SELECT id FROM counted) AND alternative IS NOT TRUE
  ), askable AS (
    SELECT word.deck_id, word.word, word.field
      FROM word
      JOIN answers USING (deck_id)
      JOIN counted ON counted.id = word.deck_id
      LEFT JOIN crowded USING (source_language, target_language, source_key)
     WHERE CASE WHEN answers.answers > 30 AND crowded.source_key IS NULL THEN true
           ELSE answers.answers >= 3 + (
             SELECT count(DISTINCT accepted.target_key)
               FROM term accepted
              WHERE accepted.source_key = word.source_key
                AND accepted.deck_id IN (
                      SELECT id FROM counted AS beside
                       WHERE beside.source_language = counted.source_language
                         AND beside.target_language = counted.target_language)
                AND EXISTS (SELECT 1 FROM term own
                             WHERE own.deck_id = word.deck_id AND own.alternative IS NOT TRUE
                               AND own.target_key = accepted.target_key))
           END
  ), questions AS (
    SELECT deck_id, count(DISTINCT word)::int AS questions FROM askable GROUP BY deck_id
  ), topics AS (
    SELECT deck_id, jsonb_agg(jsonb_build_object('topic', field, 'questions', questions) ORDER BY field) AS topics
      FROM (SELECT deck_id, field, count(DISTINCT word) AS questions
              FROM askable WHERE field IS NOT NULL GROUP BY deck_id, field
            HAVING count(DISTINCT word) >= 4) AS by_topic
     GROUP BY deck_id
  )
  UPDATE deck
     SET question_count = coalesce(questions, 0), topics = coalesce(topics.topics, '[]')
    FROM counted
    LEFT JOIN questions ON questions.deck_id = counted.id
    LEFT JOIN topics ON topics.deck_id = counted.id
   WHERE deck.id = counted.id`;

/** Resets the counts of decks that have lost their last term. */
const RESET_EMPTY = `
  UPDATE deck SET term_count = 0, question_count = 0, topics = '[]', sources = '[]'
   WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM term WHERE deck_id = deck.id)`;

/**
 * Updates the counts of changed decks.
 * @param client a connection in the transaction that has changed them
 * @param deckIds the decks whose terms have changed
 */
export async function recount(client: Client, deckIds: number[]): Promise<void> {
  if (deckIds.length === 0) return;
  // Without statistics the planner takes the table for a small one, here and in later queries.
  await client.query('ANALYZE term');
  await client.query(COUNT_TERMS, [deckIds]);
  await client.query(RESET_EMPTY, [deckIds]);
  await client.query(COUNT_QUESTIONS, [deckIds]);
}
