// Writes terms into PostgreSQL: any number of them in constant memory, in one transaction, and as
// often as one likes: what is there already is left as it is.
import pg from 'pg';
import { wordsName } from '../rules.ts';
import { createImportedDecks, type ImportedDecks } from './decks.ts';
import type { Line } from './formats.ts';
import { explain } from './import-error.ts';
import { type ImportedTerm, parseTerm } from './term-record.ts';

const BATCH_SIZE = 5000;
const BAD_LINES_SHOWN = 20;
const CONNECT_TIMEOUT_MS = 5000;
/** The key of the advisory lock under which one import at a time runs. */
const LOCK_KEY = 72_707_370;

/** A line that can't be imported. */
export interface BadLine {
  line: number;
  file?: string;
  problem: string;
}

/** What an import did; with `committed` false it changed nothing. */
export interface ImportResult {
  lines: number;
  inserted: number;
  updated: number;
  unchanged: number;
  bad: { count: number; first: BadLine[] };
  committed: boolean;
}

/** Where terms come from. */
export interface Source {
  name: string;
  /** By its SPDX name where it has one. */
  licence: string;
}

/** How an import is done. */
export interface ImportOptions {
  databaseUrl: string;
  /** Where the terms come from; of those that are there already, the first to bring one counts. */
  source: Source;
  /** Whether bad lines are left out; otherwise one of them keeps everything out. */
  skipBad?: boolean;
  /** Told when another import is under way, which this one waits for. */
  onWait?: () => void;
  /** Kept up to date, for whoever shows it. */
  progress?: { lines: number };
}

/**
 * Imports terms: new ones are added, those with another spelling or gloss are brought up to date. A
 * gloss is never taken away by a line without one.
 * @throws ImportError when the database can't be reached or isn't ready
 */
export async function importTerms(
  lines: AsyncIterable<Line>,
  options: ImportOptions,
): Promise<ImportResult> {
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection that breaks fails the query that runs; it must not end the process unexplained.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    await waitForTurn(client, options.onWait);
    const result = await write(client, lines, options);
    await client.query(result.committed ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function waitForTurn(client: pg.Client, onWait: (() => void) | undefined): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS mine',
    [LOCK_KEY],
  );
  if (rows[0]?.mine) return;
  onWait?.();
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
}

async function write(
  client: pg.Client,
  lines: AsyncIterable<Line>,
  { source, skipBad = false, progress = { lines: 0 } }: ImportOptions,
): Promise<ImportResult> {
  const result: ImportResult = {
    lines: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    bad: { count: 0, first: [] },
    committed: true,
  };
  const decks = createImportedDecks(client);
  const sourceId = await idOfSource(client, source);
  let batch = new Map<string, ImportedTerm>();
  for await (const line of lines) {
    result.lines += 1;
    progress.lines = result.lines;
    const term = 'problem' in line ? line.problem : parseTerm(line.fields);
    if (typeof term === 'string') noteBad(result, line, term);
    // With a bad line everything is rolled back: go on only to find the others.
    else if (result.bad.count === 0 || skipBad) addTo(batch, term, result);
    if (batch.size < BATCH_SIZE) continue;
    await writeBatch(client, batch, decks, sourceId, result);
    batch = new Map();
  }
  result.committed = result.bad.count === 0 || skipBad;
  if (result.committed) {
    await writeBatch(client, batch, decks, sourceId, result);
    await decks.recount();
  } else Object.assign(result, { inserted: 0, updated: 0, unchanged: 0 });
  return result;
}

async function idOfSource(client: pg.Client, { name, licence }: Source): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO source (name, licence) VALUES ($1, $2)
     ON CONFLICT (name, licence) DO UPDATE SET name = EXCLUDED.name
     RETURNING id`,
    [name, licence],
  );
  return (rows[0] as { id: number }).id;
}

function noteBad(result: ImportResult, { line, file }: Line, problem: string): void {
  result.bad.count += 1;
  if (result.bad.first.length < BAD_LINES_SHOWN)
    result.bad.first.push({ line, ...(file ? { file } : {}), problem });
}

/** One statement can't write a term twice, so that repetitions are merged here as it would. */
function addTo(batch: Map<string, ImportedTerm>, term: ImportedTerm, result: ImportResult): void {
  const key = [wordsName(term.deck), term.sourceKey, term.targetKey].join('\n');
  const earlier = batch.get(key);
  if (!earlier) {
    batch.set(key, term);
    return;
  }
  const merged = { ...term, sourceGloss: term.sourceGloss ?? earlier.sourceGloss };
  const fields = ['sourceText', 'targetText', 'sourceGloss'] as const;
  if (fields.every((field) => merged[field] === earlier[field])) result.unchanged += 1;
  else result.updated += 1;
  batch.set(key, merged);
}

const WRITE_BATCH = `
  INSERT INTO term (deck_id, source_text, target_text, source_gloss, source_key, target_key, source_id)
  SELECT given.*, $7::int
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS given
  ON CONFLICT (source_key, deck_id, target_key) DO UPDATE
    SET source_text = EXCLUDED.source_text,
        target_text = EXCLUDED.target_text,
        source_gloss = COALESCE(EXCLUDED.source_gloss, term.source_gloss),
        -- Who brought it first; a release before sources has not said.
        source_id = COALESCE(term.source_id, EXCLUDED.source_id)
    WHERE (term.source_text, term.target_text, term.source_gloss, term.source_id) IS DISTINCT FROM
          (EXCLUDED.source_text, EXCLUDED.target_text,
           COALESCE(EXCLUDED.source_gloss, term.source_gloss),
           COALESCE(term.source_id, EXCLUDED.source_id))
  -- A row that was there before carries the transaction that wrote over it in xmax.
  RETURNING deck_id AS "deckId", xmax = 0 AS inserted`;

async function writeBatch(
  client: pg.Client,
  batch: Map<string, ImportedTerm>,
  decks: ImportedDecks,
  sourceId: number,
  result: ImportResult,
): Promise<void> {
  const terms = [...batch.values()];
  const { rows } = await client.query<{ deckId: number; inserted: boolean }>(WRITE_BATCH, [
    await decks.idsOf(terms.map((term) => term.deck)),
    ...(['sourceText', 'targetText', 'sourceGloss', 'sourceKey', 'targetKey'] as const).map(
      (field) => terms.map((term) => term[field]),
    ),
    sourceId,
  ]);
  for (const { deckId } of rows) decks.noteChange(deckId);
  const inserted = rows.filter((row) => row.inserted).length;
  result.inserted += inserted;
  result.updated += rows.length - inserted;
  result.unchanged += terms.length - rows.length;
}
