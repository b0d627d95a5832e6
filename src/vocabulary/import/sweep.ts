// What a source brought earlier and doesn't bring any more goes: a word that was mended must not stay
// beside what it was, where it would be asked, and be a wrong option of itself.
import type { Client } from 'pg';
import type { ImportedTerm } from './term-record.ts';

/** Sweeps up after a source. */
export interface Sweep {
  /** Notes that terms are still there. @param deckIds one a term */
  keep(deckIds: number[], terms: ImportedTerm[]): Promise<void>;
  /** Takes out the others. @returns the deck of each of them */
  takeOutOthers(sourceId: number): Promise<number[]>;
}

/** @param client in the transaction that brings all terms of a source */
export async function createSweep(client: Client): Promise<Sweep> {
  await client.query(
    'CREATE TEMP TABLE kept (deck_id int, source_key text, target_key text) ON COMMIT DROP',
  );
  return {
    async keep(deckIds, terms) {
      await client.query(
        'INSERT INTO kept SELECT * FROM unnest($1::int[], $2::text[], $3::text[])',
        [deckIds, terms.map(({ sourceKey }) => sourceKey), terms.map(({ targetKey }) => targetKey)],
      );
    },
    async takeOutOthers(sourceId) {
      // The planner would take tables that it has never seen for small ones, and look at all for each.
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
