// Where terms come from: who brought them, and under which licence. A source can be taken out again.
import type { Client } from 'pg';
import { begin, withConnection } from './connect.ts';
import { ImportError } from './import-error.ts';
import { recount } from './recount.ts';

/** Where terms come from. */
export interface Source {
  name: string;
  /** By its SPDX name where it has one. */
  licence: string;
}

/** A source and how many terms it brought. */
export interface SourceCount extends Source {
  terms: number;
  decks: number;
}

/** @returns a source's id; it is noted when its first terms come */
export async function idOfSource(client: Client, { name, licence }: Source): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO source (name, licence) VALUES ($1, $2)
     ON CONFLICT (name, licence) DO UPDATE SET name = EXCLUDED.name
     RETURNING id`,
    [name, licence],
  );
  return (rows[0] as { id: number }).id;
}

/** @returns all sources of terms, the largest first; those of releases before sources as unknown */
export async function listSources(databaseUrl: string): Promise<SourceCount[]> {
  return withConnection(databaseUrl, async (client) => {
    await client.query('SET statement_timeout = 0');
    const { rows } = await client.query<SourceCount>(`
      SELECT coalesce(s.name, 'unknown') AS name, coalesce(s.licence, 'unknown') AS licence,
             counted.terms::int AS terms, counted.decks::int AS decks
        FROM (SELECT source_id, count(*) AS terms, count(DISTINCT deck_id) AS decks
                FROM term GROUP BY source_id) AS counted
        LEFT JOIN source s ON s.id = counted.source_id
       ORDER BY counted.terms DESC, name`);
    return rows;
  });
}

/**
 * Removes all terms that a source brought, at once; those that an earlier one had brought stay.
 * @returns how many there were
 * @throws ImportError when there is no such source
 */
export async function removeSource(databaseUrl: string, name: string): Promise<number> {
  return withConnection(databaseUrl, async (client) => {
    await begin(client);
    const { rows: sources } = await client.query<{ id: number }>(
      'SELECT id FROM source WHERE name = $1',
      [name],
    );
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
    await client.query('COMMIT');
    return decks.reduce((sum, { terms }) => sum + terms, 0);
  });
}
