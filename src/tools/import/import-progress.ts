// Stores how far an import has come, so that an interrupted one goes on from there. The position is written
// in the transaction that writes the terms, under a hash that identifies the file.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Client } from 'pg';

/** The bytes at the beginning of a file that are part of its hash. */
const HASHED_BYTES = 64 * 1024;

/** The position up to which a file is imported. */
interface ImportPosition {
  /** The number of records that were read and written. */
  records: number;
  /** The decks that the import has changed so far. */
  deckIds: number[];
}

/**
 * @param how the options that change what is read from the file
 * @returns a hash that identifies the file's present content; undefined for a pipe, which can't be read again
 */
export async function nameOfFile(file: string, how: object): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { size, mtimeMs } = await handle.stat();
    if (size === 0) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HASHED_BYTES), 0, HASHED_BYTES, 0);
    return createHash('sha256')
      .update(JSON.stringify({ size, mtimeMs, how }))
      .update(buffer.subarray(0, bytesRead))
      .digest('base64url');
  } finally {
    await handle.close();
  }
}

/** @returns the position of an interrupted import of the file; the beginning when there was none */
export async function findPosition(client: Client, file: string): Promise<ImportPosition> {
  const { rows } = await client.query<ImportPosition>(
    'SELECT records, deck_ids AS "deckIds" FROM import_progress WHERE file = $1',
    [file],
  );
  return rows[0] ?? { records: 0, deckIds: [] };
}

/** @param client a connection in the transaction that writes the terms */
export async function savePosition(client: Client, file: string, position: ImportPosition): Promise<void> {
  await client.query(
    `INSERT INTO import_progress (file, records, deck_ids) VALUES ($1, $2, $3)
     ON CONFLICT (file) DO UPDATE SET records = EXCLUDED.records, deck_ids = EXCLUDED.deck_ids`,
    [file, position.records, position.deckIds],
  );
}

/** @param client a connection in the transaction that finishes the import */
export async function deletePosition(client: Client, file: string): Promise<void> {
  await client.query('DELETE FROM import_progress WHERE file = $1', [file]);
}
