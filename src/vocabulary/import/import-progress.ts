// Where an import goes on that was interrupted: kept in the transaction that wrote the terms, under what
// tells the file from all others.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Client } from 'pg';

const COMPARED_BYTES = 64 * 1024;

/** How far an import has come. */
export interface Reached {
  /** How many records were read and what they hold is written. */
  records: number;
  /** The decks that have changed so far. */
  deckIds: number[];
}

/**
 * @param how what else decides what is read from it
 * @returns a name for a file as it is now; undefined for a pipe, which can't be read again
 */
export async function nameOfFile(file: string, how: object): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    if (size === 0) return undefined;
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(COMPARED_BYTES),
      0,
      COMPARED_BYTES,
      0,
    );
    return createHash('sha256')
      .update(JSON.stringify({ size, mtimeMs, how }))
      .update(buffer.subarray(0, bytesRead))
      .digest('base64url');
  } finally {
    await handle.close();
  }
}

/** @returns how far an earlier import of the file came; nothing when it was done, or there was none */
export async function findReached(client: Client, file: string): Promise<Reached> {
  const { rows } = await client.query<Reached>(
    'SELECT records, deck_ids AS "deckIds" FROM import_progress WHERE file = $1',
    [file],
  );
  return rows[0] ?? { records: 0, deckIds: [] };
}

/** @param client in the transaction that wrote what was read */
export async function noteReached(client: Client, file: string, reached: Reached): Promise<void> {
  await client.query(
    `INSERT INTO import_progress (file, records, deck_ids) VALUES ($1, $2, $3)
     ON CONFLICT (file) DO UPDATE SET records = EXCLUDED.records, deck_ids = EXCLUDED.deck_ids`,
    [file, reached.records, reached.deckIds],
  );
}

/** @param client in the transaction that finishes the import */
export async function forgetReached(client: Client, file: string): Promise<void> {
  await client.query('DELETE FROM import_progress WHERE file = $1', [file]);
}
