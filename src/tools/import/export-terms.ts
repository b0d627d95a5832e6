// Exports terms as CSV, in the format that can be imported.
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Papa from 'papaparse';
import type { Client } from 'pg';
import { withConnection } from './connect.ts';
import type { DeckDefaults } from './dictionary.ts';
import { TERM_FIELDS } from './term-record.ts';

const BATCH_SIZE = 5000;

const TERMS = `
  DECLARE exported NO SCROLL CURSOR FOR
  SELECT source_language, target_language, pos, difficulty, source_text, target_text,
         coalesce(source_gloss, ''), coalesce(field, '')
    FROM term JOIN deck ON deck.id = deck_id JOIN source ON source.id = source_id
   WHERE ($1::text IS NULL OR source.name = $1)
     AND ($2::text IS NULL OR source_language = $2) AND ($3::text IS NULL OR target_language = $3)
     AND ($4::text IS NULL OR pos = $4) AND ($5::text IS NULL OR difficulty = $5)
   ORDER BY deck_id, source_key, target_key`;

/** @param wanted the source and the fields of the decks to export; a missing one means all */
export async function exportTerms(
  databaseUrl: string,
  wanted: DeckDefaults & { source?: string | undefined },
  output: Writable,
): Promise<void> {
  await withConnection(databaseUrl, (client) => pipeline(rowsOf(client, wanted), output, { end: false }));
}

async function* rowsOf(
  client: Client,
  { source, sourceLanguage, targetLanguage, pos, difficulty }: DeckDefaults & { source?: string | undefined },
): AsyncGenerator<string> {
  await client.query('BEGIN READ ONLY');
  await client.query('SET LOCAL statement_timeout = 0');
  const values = [source, sourceLanguage, targetLanguage, pos, difficulty];
  await client.query(
    TERMS,
    values.map((value) => value ?? null),
  );
  yield `${TERM_FIELDS.join(',')}\n`;
  for (;;) {
    const { rows } = await client.query<string[]>({ text: `FETCH ${BATCH_SIZE} FROM exported`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield `${Papa.unparse(rows, { newline: '\n' })}\n`;
  }
  await client.query('COMMIT');
}
