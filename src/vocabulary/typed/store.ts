// Reads translations of large decks from PostgreSQL, by the indexes of prompts and of forms. [contract 20]
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Term } from '../rules.ts';

/** The most terms that one statement returns; a prompt has a few translations, and a form a few close ones. */
const MAX_TERMS = 5000;

/** @returns the terms of the deck with these normalised prompts, whatever their glosses */
export async function findTranslations(
  db: Database,
  deckId: number,
  sourceKeys: string[],
): Promise<Term[]> {
  return db.$queryRaw<Term[]>`
    SELECT source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
           source_key AS "sourceKey", target_key AS "targetKey", field
      FROM term
     WHERE source_key = ANY(${sourceKeys}::text[]) AND deck_id = ${deckId}
     LIMIT ${MAX_TERMS}`;
}

/** @returns the terms of the deck of which a form has one of these keys, and maybe a few others */
export async function findNear(db: Database, deckId: number, keys: number[]): Promise<Term[]> {
  return db.$queryRaw<Term[]>`
    SELECT source_text AS "sourceText", target_text AS "targetText", source_gloss AS "sourceGloss",
           source_key AS "sourceKey", target_key AS "targetKey", field
      FROM term
     WHERE near_keys && ${keys}::int[] AND deck_id = ${deckId}
     LIMIT ${MAX_TERMS}`;
}
