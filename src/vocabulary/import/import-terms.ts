// Writes terms into PostgreSQL: any number of them in constant memory, and as often as one likes: what
// is there already is left as it is. Each batch is a transaction that also notes how far it came, so that
// an import that is interrupted goes on from there; a strict one is a single transaction.
import type { Client } from 'pg';
import { wordsName } from '../rules.ts';
import { begin, withConnection } from './connect.ts';
import { createImportedDecks, type ImportedDecks } from './decks.ts';
import type { ReadLine } from './formats.ts';
import { findReached, forgetReached, noteReached } from './import-progress.ts';
import { idOfSource, type Source } from './sources.ts';
import { createSweep, type Sweep } from './sweep.ts';
import { createTally, type Tally, termOrNote } from './tally.ts';
import type { ImportedTerm } from './term-record.ts';

const BATCH_SIZE = 2000;

/** What an import did; with `committed` false it changed nothing. */
export interface ImportResult extends Tally {
  inserted: number;
  updated: number;
  unchanged: number;
  /** Of a source that was brought whole. */
  removed: number;
  committed: boolean;
  /** How many records an earlier import, which was interrupted, had done. */
  resumedAfter: number;
}

/** How an import is done. */
export interface ImportOptions {
  databaseUrl: string;
  /**
   * Where the terms come from, asked when the first of them is read; of those that are there already,
   * the first to bring one counts.
   */
  source: Source | (() => Source);
  /** Whether a bad line keeps everything out; otherwise it is left out alone. */
  strict?: boolean;
  /** With `strict`: whether this is all that its source has, so that what else it brought earlier goes. */
  isWhole?: boolean;
  /** The name under which it is noted how far it came; without it, it begins anew. */
  file?: string | undefined;
  /** Told when another import is under way, which this one waits for. */
  onWait?: () => void;
  /** Kept up to date, for whoever shows it. */
  progress?: { lines: number };
}

/**
 * Imports terms: new ones are added, those with another spelling, gloss or field are brought up to date.
 * A gloss or field is never taken away by a line without one.
 * @throws ImportError when the database can't be reached or isn't ready
 */
export async function importTerms(
  lines: AsyncIterable<ReadLine>,
  options: ImportOptions,
): Promise<ImportResult> {
  return withConnection(options.databaseUrl, async (client) => {
    const write = options.strict ? writeAtOnce : writeInBatches;
    return write(client, lines, options);
  });
}

async function writeAtOnce(
  client: Client,
  lines: AsyncIterable<ReadLine>,
  options: ImportOptions,
): Promise<ImportResult> {
  const result = newResult();
  const decks = createImportedDecks(client);
  await begin(client, options.onWait);
  const sweep = options.isWhole ? await createSweep(client) : undefined;
  for await (const batch of batchesOf(lines, result, options)) {
    if (result.bad.count > 0) break;
    await writeBatch(client, batch, decks, options, result, sweep);
  }
  if (result.bad.count > 0) {
    await client.query('ROLLBACK');
    return { ...result, inserted: 0, updated: 0, unchanged: 0, committed: false };
  }
  for (const deckId of (await sweep?.takeOutOthers(await sourceId(client, options))) ?? []) {
    decks.noteChange(deckId);
    result.removed += 1;
  }
  await decks.recount();
  await client.query('COMMIT');
  return result;
}

async function writeInBatches(
  client: Client,
  lines: AsyncIterable<ReadLine>,
  options: ImportOptions,
): Promise<ImportResult> {
  const { file, onWait } = options;
  const result = newResult();
  const decks = createImportedDecks(client);
  const reached = file && (await findReached(client, file));
  if (reached) {
    result.resumedAfter = reached.records;
    for (const id of reached.deckIds) decks.noteChange(id);
  }
  for await (const batch of batchesOf(lines, result, options)) {
    await begin(client, onWait);
    await writeBatch(client, batch, decks, options, result);
    if (file) await noteReached(client, file, { records: result.lines, deckIds: decks.changed() });
    await client.query('COMMIT');
  }
  await begin(client, onWait);
  await decks.recount();
  if (file) await forgetReached(client, file);
  await client.query('COMMIT');
  return result;
}

function newResult(): ImportResult {
  const counts = { inserted: 0, updated: 0, unchanged: 0, removed: 0 };
  return { ...createTally(), ...counts, committed: true, resumedAfter: 0 };
}

/**
 * @returns the good terms, so many at a time, each of a batch once; those of the records that were done
 * before are passed over. A strict import gets none after a bad line.
 */
async function* batchesOf(
  lines: AsyncIterable<ReadLine>,
  result: ImportResult,
  { strict = false, progress = { lines: 0 } }: ImportOptions,
): AsyncGenerator<Map<string, ImportedTerm>> {
  let batch = new Map<string, ImportedTerm>();
  for await (const line of lines) {
    result.lines += 1;
    progress.lines = result.lines;
    if (result.lines <= result.resumedAfter) continue;
    const term = termOrNote(result, line);
    if (term) addTo(batch, term, result);
    if (strict && result.bad.count > 0) break;
    if (batch.size < BATCH_SIZE) continue;
    yield batch;
    batch = new Map();
  }
  yield batch;
}

/** One statement can't write a term twice, so that repetitions are merged here as it would. */
function addTo(batch: Map<string, ImportedTerm>, term: ImportedTerm, result: ImportResult): void {
  const key = [wordsName(term.deck), term.sourceKey, term.targetKey].join('\n');
  const earlier = batch.get(key);
  if (!earlier) {
    batch.set(key, term);
    return;
  }
  const { sourceGloss, field } = earlier;
  const kept = { sourceGloss: term.sourceGloss ?? sourceGloss, field: term.field ?? field };
  const merged = { ...term, ...kept };
  const fields = ['sourceText', 'targetText', 'sourceGloss', 'field'] as const;
  if (fields.every((name) => merged[name] === earlier[name])) result.unchanged += 1;
  else result.updated += 1;
  batch.set(key, merged);
}

const COLUMNS = [
  ...(['sourceText', 'targetText', 'sourceGloss', 'sourceKey', 'targetKey', 'field'] as const),
];

const WRITE_BATCH = `
  INSERT INTO term (deck_id, source_text, target_text, source_gloss, source_key, target_key, field, source_id)
  SELECT given.*, $8::int
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS given
  ON CONFLICT (source_key, deck_id, target_key) DO UPDATE
    SET source_text = EXCLUDED.source_text,
        target_text = EXCLUDED.target_text,
        source_gloss = COALESCE(EXCLUDED.source_gloss, term.source_gloss),
        field = COALESCE(EXCLUDED.field, term.field),
        -- Who brought it first; a release before sources has not said.
        source_id = COALESCE(term.source_id, EXCLUDED.source_id)
    WHERE (term.source_text, term.target_text, term.source_gloss, term.field, term.source_id)
          IS DISTINCT FROM
          (EXCLUDED.source_text, EXCLUDED.target_text,
           COALESCE(EXCLUDED.source_gloss, term.source_gloss), COALESCE(EXCLUDED.field, term.field),
           COALESCE(term.source_id, EXCLUDED.source_id))
  -- A row that was there before carries the transaction that wrote over it in xmax.
  RETURNING deck_id AS "deckId", xmax = 0 AS inserted`;

async function writeBatch(
  client: Client,
  batch: Map<string, ImportedTerm>,
  decks: ImportedDecks,
  options: ImportOptions,
  result: ImportResult,
  sweep?: Sweep,
): Promise<void> {
  if (batch.size === 0) return;
  const terms = [...batch.values()];
  const deckIds = await decks.idsOf(terms.map((term) => term.deck));
  const { rows } = await client.query<{ deckId: number; inserted: boolean }>(WRITE_BATCH, [
    deckIds,
    ...COLUMNS.map((column) => terms.map((term) => term[column])),
    await sourceId(client, options),
  ]);
  await sweep?.keep(deckIds, terms);
  for (const { deckId } of rows) decks.noteChange(deckId);
  const inserted = rows.filter((row) => row.inserted).length;
  result.inserted += inserted;
  result.updated += rows.length - inserted;
  result.unchanged += terms.length - rows.length;
}

function sourceId(client: Client, { source }: ImportOptions): Promise<number> {
  return idOfSource(client, typeof source === 'function' ? source() : source);
}
