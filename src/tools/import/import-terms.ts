// Writes terms into PostgreSQL, any number of them in constant memory. Repeating an import changes nothing. An import is
// one transaction, so that an interrupted one leaves neither terms nor counts of them behind.
import type { Client } from 'pg';
import { wordsName } from '../../vocabulary/rules.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import { begin, withConnection } from './connect.ts';
import { recount } from './recount.ts';
import { clearDigests, countIfLoaded, idOfSource, type Source, storeDigest } from './sources.ts';
import { type ImportedTerm, parseTerm, type SourceRecord, translationKeysOf, wordOf } from './term-record.ts';

/** Terms that one statement writes. */
const BATCH_SIZE = 2000;

/** The outcome of an import. `removed` are terms that the source no longer brings; what isn't `committed` did nothing. */
export type ImportResult = ReturnType<typeof newResult>;

export interface ImportOptions {
  databaseUrl: string;
  /**
   * The source of the terms. A function is called after the first record was read, when the file has named
   * its source. A term that several sources bring belongs to the first of them.
   */
  source: Source | (() => Source);
  /** Whether a malformed line makes the import fail. By default only that line is left out. */
  strict?: boolean;
  /** Whether nothing is written; the result tells what would be. */
  isDry?: boolean;
  /**
   * Only with `strict`: identifies all terms of the source. When the last import had the same digest and no term has
   * changed since, the import ends without reading a line. Otherwise the source's terms that the file lacks are removed.
   */
  digest?: string;
  /** Is called when the import has to wait for another one. */
  onWait?: () => void;
  /** Is updated while records are read. */
  progress?: { lines: number };
}

/**
 * Imports terms. New terms are inserted; known ones with another spelling, gloss or field are updated. A
 * record without a gloss or field leaves the stored one.
 * @throws ImportError when the database can't be reached or has no tables yet
 */
export async function importTerms(lines: AsyncIterable<SourceRecord>, options: ImportOptions): Promise<ImportResult> {
  return withConnection(options.databaseUrl, (client) => writeAll(client, lines, options));
}

async function writeAll(
  client: Client,
  lines: AsyncIterable<SourceRecord>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { strict, isDry, digest } = options;
  const result = newResult();
  const decks = createImportedDecks(client);
  await begin(client, options.onWait);
  const unchanged = digest ? await countIfLoaded(client, await sourceId(client, options), digest) : undefined;
  if (unchanged !== undefined) {
    await client.query('ROLLBACK');
    return { ...result, unchanged };
  }
  const sourceTerms = digest ? await trackSourceTerms(client) : undefined;
  for await (const batch of batchesOf(lines, result, options))
    await writeBatch(client, batch, decks, options, result, sourceTerms);
  if (strict && result.bad.count > 0) {
    await client.query('ROLLBACK');
    return { ...result, inserted: 0, updated: 0, unchanged: 0, committed: false };
  }
  for (const deckId of (await sourceTerms?.removeOthers(await sourceId(client, options))) ?? []) {
    decks.noteChange(deckId);
    result.removed += 1;
  }
  if (result.removed > 0) await clearDigests(client);
  if (!isDry) await decks.recount();
  if (digest) await storeDigest(client, await sourceId(client, options), digest);
  await client.query(isDry ? 'ROLLBACK' : 'COMMIT');
  return result;
}

/** The number of malformed lines that the result lists. Further ones are only counted. */
const BAD_LINES_SHOWN = 20;

function newResult() {
  return {
    lines: 0,
    bad: { count: 0, first: [] as { line: number; file?: string | undefined; problem: string }[] },
    /** Records that aren't wanted, counted by the reason. */
    skipped: {} as Record<string, number>,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    removed: 0,
    committed: true,
  };
}

/** @returns the term of a record; a record without a valid term is counted in `result` instead */
function parseOrCount({ bad, skipped }: ImportResult, record: SourceRecord): ImportedTerm | undefined {
  if ('skipped' in record) {
    skipped[record.skipped] = (skipped[record.skipped] ?? 0) + 1;
    return undefined;
  }
  const term = 'problem' in record ? record.problem : parseTerm(record);
  if (typeof term !== 'string') return term;
  bad.count += 1;
  if (bad.count <= BAD_LINES_SHOWN) bad.first.push({ line: record.line, file: record.file, problem: term });
  return undefined;
}

/** @returns the valid terms in batches, in which each term occurs once; a strict import ends at a malformed line */
async function* batchesOf(
  lines: AsyncIterable<SourceRecord>,
  result: ImportResult,
  { strict = false, progress = { lines: 0 } }: ImportOptions,
): AsyncGenerator<Map<string, ImportedTerm>> {
  let batch = new Map<string, ImportedTerm>();
  for await (const record of lines) {
    result.lines += 1;
    progress.lines = result.lines;
    const term = parseOrCount(result, record);
    if (term) addTo(batch, term, result);
    if (strict && result.bad.count > 0) break;
    if (batch.size < BATCH_SIZE) continue;
    yield batch;
    batch = new Map();
  }
  yield batch;
}

/** Merges repetitions of a term as the statement would, since one statement can't write a row twice. */
function addTo(batch: Map<string, ImportedTerm>, term: ImportedTerm, result: ImportResult): void {
  const key = [wordsName(term.deck), term.sourceKey, term.targetKey].join('\n');
  const earlier = batch.get(key);
  if (!earlier) {
    batch.set(key, term);
    return;
  }
  const { sourceGloss, field, isAlternative } = earlier;
  const kept = {
    sourceGloss: term.sourceGloss ?? sourceGloss,
    field: term.field ?? field,
    isAlternative: term.isAlternative ?? isAlternative,
  };
  const merged = { ...term, ...kept };
  const fields = ['sourceText', 'targetText', 'sourceGloss', 'field'] as const;
  if (fields.every((name) => merged[name] === earlier[name])) result.unchanged += 1;
  else result.updated += 1;
  batch.set(key, merged);
}

const COLUMNS = [...(['sourceText', 'targetText', 'sourceGloss', 'sourceKey', 'targetKey', 'field'] as const)];

const WRITE_BATCH = `
  INSERT INTO term (deck_id, source_text, target_text, source_gloss, source_key, target_key, field, alternative,
                    translation_keys, word, source_id)
  SELECT deck_id, source_text, target_text, source_gloss, source_key, target_key, field, alternative,
         translation_keys::int[], word, $11::int
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                $9::text[], $10::uuid[])
      AS batch (deck_id, source_text, target_text, source_gloss, source_key, target_key, field, alternative,
                translation_keys, word)
  ON CONFLICT (source_key, deck_id, target_key) DO UPDATE
    SET source_text = EXCLUDED.source_text,
        target_text = EXCLUDED.target_text,
        source_gloss = COALESCE(EXCLUDED.source_gloss, term.source_gloss),
        field = COALESCE(EXCLUDED.field, term.field),
        alternative = COALESCE(EXCLUDED.alternative, term.alternative),
        translation_keys = EXCLUDED.translation_keys,
        word = CASE WHEN EXCLUDED.source_gloss IS NULL THEN term.word ELSE EXCLUDED.word END
    WHERE (term.source_text, term.target_text, term.source_gloss, term.field, term.alternative,
           term.translation_keys, term.word)
          IS DISTINCT FROM
          (EXCLUDED.source_text, EXCLUDED.target_text, COALESCE(EXCLUDED.source_gloss, term.source_gloss),
           COALESCE(EXCLUDED.field, term.field), COALESCE(EXCLUDED.alternative, term.alternative),
           EXCLUDED.translation_keys,
           CASE WHEN EXCLUDED.source_gloss IS NULL THEN term.word ELSE EXCLUDED.word END)
  -- PostgreSQL sets xmax in a row that the statement has updated, and leaves it 0 in a new one.
  RETURNING deck_id AS "deckId", xmax = 0 AS inserted`;

async function writeBatch(
  client: Client,
  batch: Map<string, ImportedTerm>,
  decks: ImportedDecks,
  options: ImportOptions,
  result: ImportResult,
  sourceTerms?: SourceTerms,
): Promise<void> {
  if (batch.size === 0) return;
  const terms = [...batch.values()];
  const deckIds = await decks.idsOf(terms.map((term) => term.deck));
  const { rows } = await client.query<{ deckId: number; inserted: boolean }>(WRITE_BATCH, [
    deckIds,
    ...COLUMNS.map((column) => terms.map((term) => term[column])),
    terms.map(({ isAlternative }) => isAlternative ?? null),
    // A column of arrays is sent as texts, since `unnest` would flatten them.
    terms.map((term) => `{${translationKeysOf(term)}}`),
    terms.map(wordOf),
    await sourceId(client, options),
  ]);
  await sourceTerms?.keep(deckIds, terms);
  if (rows.length > 0) await clearDigests(client);
  for (const { deckId } of rows) decks.noteChange(deckId);
  const inserted = rows.filter((row) => row.inserted).length;
  result.inserted += inserted;
  result.updated += rows.length - inserted;
  result.unchanged += terms.length - rows.length;
}

function sourceId(client: Client, { source }: ImportOptions): Promise<number> {
  return idOfSource(client, typeof source === 'function' ? source() : source);
}

// The decks of an import. A deck is inserted with its first term, and counted at the end of the import.

type ImportedDecks = ReturnType<typeof createImportedDecks>;

/** @param client a connection in the transaction of the import */
function createImportedDecks(client: Client) {
  const ids = new Map<string, number>();
  const changed = new Set<number>();

  async function idOf(deck: Deck): Promise<number> {
    // RETURNING returns only written rows, hence the update that changes nothing.
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO deck (source_language, target_language, pos, difficulty) VALUES ($1, $2, $3, $4)
       ON CONFLICT (source_language, target_language, pos, difficulty)
         DO UPDATE SET pos = EXCLUDED.pos
       RETURNING id`,
      [deck.sourceLanguage, deck.targetLanguage, deck.pos, deck.difficulty],
    );
    return (rows[0] as { id: number }).id;
  }

  return {
    /** @returns the ids of `decks`, in the same order */
    async idsOf(decks: Deck[]): Promise<number[]> {
      const keys = decks.map(wordsName);
      for (const [at, key] of keys.entries()) if (!ids.has(key)) ids.set(key, await idOf(decks[at] as Deck));
      return keys.map((key) => ids.get(key) as number);
    },
    noteChange: (deckId: number) => void changed.add(deckId),
    /** Counts the terms and questions of the changed decks. */
    recount: () => recount(client, [...changed]),
  };
}

// Removes the terms that a source has brought earlier and brings no longer. Without this a corrected word would stay
// beside its former spelling, which would still be asked, and be a wrong option of the corrected one.

type SourceTerms = Awaited<ReturnType<typeof trackSourceTerms>>;

/** @param client a connection in the transaction that imports all terms of a source */
async function trackSourceTerms(client: Client) {
  await client.query('CREATE TEMP TABLE kept (deck_id int, source_key text, target_key text) ON COMMIT DROP');
  return {
    /** Adds terms that the source still brings. @param deckIds the deck of each term */
    async keep(deckIds: number[], terms: ImportedTerm[]): Promise<void> {
      await client.query('INSERT INTO kept SELECT * FROM unnest($1::int[], $2::text[], $3::text[])', [
        deckIds,
        terms.map(({ sourceKey }) => sourceKey),
        terms.map(({ targetKey }) => targetKey),
      ]);
    },
    /** Deletes all other terms of the source. @returns the deck of each deleted term */
    async removeOthers(sourceId: number): Promise<number[]> {
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
