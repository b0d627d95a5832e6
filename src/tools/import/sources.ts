// The sources of terms in PostgreSQL, with their licences. A source can be removed with its terms, and has the digest of
// what was loaded, so that a load that would change nothing ends at once.
import type { Client } from 'pg';
import { begin, ImportError, withConnection } from './connect.ts';
import { recount } from './recount.ts';

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
 * Removes a source and its terms in one transaction. A term that two sources have brought belongs to the earlier one.
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

// Stores with a source the digest of what was loaded, so that a load that would change nothing ends at once.

/** Each stored digest ends with the number of terms, so that a load notices terms that were deleted by SQL. */
const WITH_TERMS = `$2::text || ' ' || (SELECT count(*) FROM term WHERE source_id = source.id)`;

/**
 * @param client a connection in a transaction that writes terms, since another load may be under way
 * @returns the number of the source's terms when they are those of `digest`; otherwise undefined
 */
export async function countIfLoaded(client: Client, sourceId: number, digest: string): Promise<number | undefined> {
  const { rows } = await client.query<{ digest: string }>(
    `SELECT digest FROM source WHERE id = $1 AND digest = ${WITH_TERMS}`,
    [sourceId, digest],
  );
  return rows[0] && Number(rows[0].digest.split(' ')[1]);
}

/** @param client a connection in the transaction that has loaded the source */
export async function storeDigest(client: Client, sourceId: number, digest: string): Promise<void> {
  await client.query(`UPDATE source SET digest = ${WITH_TERMS} WHERE id = $1`, [sourceId, digest]);
}

/**
 * Clears all digests, since terms belong to the first source that has brought them: a change of one source's
 * terms may leave another source something to restore.
 * @param client a connection in the transaction that changes terms
 */
export async function clearDigests(client: Client): Promise<void> {
  await client.query('UPDATE source SET digest = NULL WHERE digest IS NOT NULL');
}
