// What is kept of a deck so that nobody has to count a million terms: how many it holds and of which
// sources, and how many questions they give. [contract 3, 13]
import type { Client } from 'pg';

/** Terms, and where they come from; those of releases before sources say nothing. */
const COUNT_TERMS = `
  UPDATE deck
     SET term_count = counted.terms, sources = counted.sources
    FROM (SELECT deck_id, sum(terms)::int AS terms,
                 jsonb_agg(jsonb_build_object('name', coalesce(s.name, 'unknown'),
                                              'licence', coalesce(s.licence, 'unknown'),
                                              'terms', terms)
                           ORDER BY terms DESC, s.name) AS sources
            FROM (SELECT deck_id, source_id, count(*) AS terms
                    FROM term WHERE deck_id = ANY($1) GROUP BY deck_id, source_id) AS by_source
            LEFT JOIN source s ON s.id = source_id
           GROUP BY deck_id) AS counted
   WHERE deck.id = counted.deck_id`;

/**
 * Different pairs of prompt and gloss, each with three different answers that are not accepted for its
 * prompt, by the rules of src/vocabulary/rules.ts. What a translation is accepted for may stand in any
 * deck of the direction. Only where a deck has few answers, or a prompt very many translations, that is
 * looked at one by one.
 */
const COUNT_QUESTIONS = `
  WITH counted AS (
    SELECT d.id, d.source_language, d.target_language
      FROM deck d
     WHERE (d.source_language, d.target_language) IN (
             SELECT source_language, target_language FROM deck WHERE id = ANY($1))
  ), answers AS (
    SELECT deck_id, count(DISTINCT target_key) AS answers
      FROM term WHERE deck_id IN (SELECT id FROM counted) GROUP BY deck_id
  ), crowded AS (
    SELECT source_language, target_language, source_key
      FROM term JOIN counted ON counted.id = term.deck_id
     GROUP BY source_language, target_language, source_key HAVING count(*) > 27
  ), word AS (
    SELECT DISTINCT deck_id, source_key, lower(coalesce(source_gloss, '')) AS gloss
      FROM term WHERE deck_id IN (SELECT id FROM counted)
  ), askable AS (
    SELECT word.deck_id, count(*)::int AS questions
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
                             WHERE own.deck_id = word.deck_id
                               AND own.target_key = accepted.target_key))
           END
     GROUP BY word.deck_id
  )
  UPDATE deck
     SET question_count = coalesce(askable.questions, 0)
    FROM counted LEFT JOIN askable ON askable.deck_id = counted.id
   WHERE deck.id = counted.id`;

/** Those that have lost their last term. */
const EMPTY = `
  UPDATE deck SET term_count = 0, question_count = 0, sources = '[]'
   WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM term WHERE deck_id = deck.id)`;

/**
 * Counts anew what has changed.
 * @param client in the transaction that changed it
 * @param deckIds the decks whose terms have changed
 */
export async function recount(client: Client, deckIds: number[]): Promise<void> {
  if (deckIds.length === 0) return;
  // The planner would take a table that it has never seen for a small one, here and later.
  await client.query('ANALYZE term');
  await client.query(COUNT_TERMS, [deckIds]);
  await client.query(EMPTY, [deckIds]);
  await client.query(COUNT_QUESTIONS, [deckIds]);
}
