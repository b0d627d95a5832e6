// Reads translations from PostgreSQL, by the indexes of prompts and of translations. [contract 20]
import type { Database } from '../../platform/postgres/postgres.ts';
import type { PostgresPool } from '../../platform/postgres/postgres-pool.ts';
import type { Term } from '../rules.ts';

/** The most terms that one statement returns; a prompt has a few translations. */
const MAX_TERMS = 5000;

/** The most terms of one translation that are read; a deck's word is that of a few prompts. */
const MAX_OF_ONE = 100;

/** @returns the terms of the deck with these normalised prompts, whatever their glosses */
export async function findTranslations(db: Database, deckId: number, sourceKeys: string[]): Promise<Term[]> {
  return db.$queryRaw<Term[]>`
    SELECT source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
           source_key AS "sourceKey", target_key AS "targetKey", field
      FROM term
     WHERE source_key = ANY(${sourceKeys}::text[]) AND deck_id = ${deckId}
     LIMIT ${MAX_TERMS}`;
}

/** A prompt with a translation. */
export type Translation = Pick<Term, 'sourceText' | 'sourceGloss' | 'targetText'>;

const IN_DECK = `
  SELECT source_text AS "sourceText", source_gloss AS "sourceGloss", target_text AS "targetText"
    FROM term
   WHERE translation_keys @> ARRAY[$1::int]
     AND deck_id = (SELECT id FROM deck WHERE (source_language, target_language, pos, difficulty) = ($2, $3, $4, $5))
   LIMIT ${MAX_OF_ONE}`;

/**
 * Decompresses each value once, however many terms are found: one path reads them all, and the joined array is a value
 * that `OFFSET 0` keeps from being computed for each of them.
 */
const IN_LIST = `
  SELECT term->>'sourceText' AS "sourceText", term->>'sourceGloss' AS "sourceGloss", term->>'targetText' AS "targetText"
    FROM word_list
   CROSS JOIN LATERAL (SELECT translation_terms || '{}'::smallint[] AS place_of OFFSET 0) plain
   CROSS JOIN LATERAL (
     SELECT string_agg((place_of[at] - 1)::text, ',') AS places
       FROM unnest((array_positions(translation_keys, $1::int))[:${MAX_OF_ONE}]) AS at) found
   CROSS JOIN LATERAL jsonb_path_query(terms, ('$[' || places || ']')::jsonpath) AS term
   WHERE id = $2::uuid`;

/**
 * @param words the name of a deck or list
 * @param key the canonical key of an answer
 * @returns the terms that a list has now, or a deck, of whose translation or alternatives one has this key; none for a
 *   list that is deleted
 */
export async function findByTranslation(
  postgres: Pick<PostgresPool, 'query'>,
  words: string,
  key: number,
): Promise<Translation[]> {
  const [kind, ...fields] = words.split(' ');
  const { rows } = await postgres.query<Translation>(
    kind === 'list'
      ? { name: 'find_in_list', text: IN_LIST, values: [key, ...fields] }
      : { name: 'find_in_deck', text: IN_DECK, values: [key, kind, ...fields] },
  );
  return rows;
}
