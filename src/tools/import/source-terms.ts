// Removes the terms that a source has brought earlier and brings no longer. Without this a corrected word
// would stay beside its former spelling, which would still be asked, and be a wrong option of the corrected
// one.
import type { Client } from 'pg';
import type { ImportedTerm } from './term-record.ts';

/** The terms that a source still brings. */
export interface SourceTerms {
  /** Adds terms that the source brings. @param deckIds the deck of each term */
  keep(deckIds: number[], terms: ImportedTerm[]): Promise<void>;
  /** Deletes all other terms of the source. @returns the deck of each deleted term */
  removeOthers(sourceId: number): Promise<number[]>;
}

/** @param client a connection in the transaction that imports all terms of a source */
export async function trackSourceTerms(client: Client): Promise<SourceTerms> {
  await client.query('CREATE TEMP TABLE kept (deck_id int, source_key text, target_key text) ON COMMIT DROP');
  return {
    async keep(deckIds, terms) {
      await client.query('INSERT INTO kept SELECT * FROM unnest($1::int[], $2::text[], $3::text[])', [
        deckIds,
        terms.map(({ sourceKey }) => sourceKey),
        terms.map(({ targetKey }) => targetKey),
      ]);
    },
    async removeOthers(sourceId) {
      // Without statistics the planner takes both tables for small ones, and joins them by a nested loop.
      await client.query('ANALYZE kept, term');
      const { rows } = await client.query<{ deckId: number }>(
        `DELETE FROM term
          WHERE source_id = $1
            AND NOT EXISTS (SELECT FROM kept
                             WHERE kept.deck_id = term.deck_id AND kept.source_key = term.source_key
                               AND kept.target_key = term.target_key)
         RETURNING deck_id AS "deckId"`,
        [sourceId],
      );
      return rows.map(({ deckId }) => deckId);
    },
  };
}
