// Stores with a source the digest of what was loaded, so that a load that would change nothing ends at once.
import type { Client } from 'pg';

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
