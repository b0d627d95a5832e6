// The sources of terms in PostgreSQL, with their licences. A source can be removed with its terms.
import type { Client } from 'pg';
import { begin, withConnection } from './connect.ts';
import { ImportError } from './import-error.ts';
import { recount } from './recount.ts';
import { clearDigests } from './source-digest.ts';

/** The origin of terms. */
export interface Source {
  name: string;
  /** The SPDX name where the licence has one. */
  licence: string;
}

/** A source with the number of its terms and decks. */
interface SourceCount extends Source {
  terms: number;
  decks: number;
}

/** @returns the id of a source, which is inserted if it is new */
export async function idOfSource(client: Client, { name, licence }: Source): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO source (name, licence) VALUES ($1, $2)
     ON CONFLICT (name, licence) DO UPDATE SET name = EXCLUDED.name
     RETURNING id`,
    [name, licence],
  );
  return (rows[0] as { id: number }).id;
}

/** @returns all sources of terms, the largest first */
export async function listSources(databaseUrl: string): Promise<SourceCount[]> {
  return withConnection(databaseUrl, async (client) => {
    await client.query('SET statement_timeout = 0');
    const { rows } = await client.query<SourceCount>(`
      SELECT s.name, s.licence, count(*)::int AS terms, count(DISTINCT deck_id)::int AS decks
        FROM term JOIN source s ON s.id = source_id
       GROUP BY s.id ORDER BY terms DESC, name`);
    return rows;
  });
}

/**
 * Removes a source and its terms in one transaction. A term that two sources have brought belongs to the
 * earlier one.
 * @returns the number of removed terms
 * @throws ImportError when there is no such source
 */
export async function removeSource(databaseUrl: string, name: string): Promise<number> {
  return withConnection(databaseUrl, async (client) => {
    await begin(client);
    const { rows: sources } = await client.query<{ id: number }>('SELECT id FROM source WHERE name = $1', [name]);
    if (sources.length === 0) throw new ImportError(`There is no source "${name}".`);
    const ids = [sources.map(({ id }) => id)];
    const { rows: decks } = await client.query<{ deckId: number; terms: number }>(
      `WITH gone AS (DELETE FROM term WHERE source_id = ANY($1) RETURNING deck_id)
       SELECT deck_id AS "deckId", count(*)::int AS terms FROM gone GROUP BY deck_id`,
      ids,
    );
    await recount(
      client,
      decks.map(({ deckId }) => deckId),
    );
    await client.query('DELETE FROM source WHERE id = ANY($1)', ids);
    await clearDigests(client);
    await client.query('COMMIT');
    return decks.reduce((sum, { terms }) => sum + terms, 0);
  });
}
