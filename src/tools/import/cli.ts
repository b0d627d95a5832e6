// npm run vocab: fills the database with the built-in vocabulary or a person's own. [contract 9]
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '../../config.ts';
import { createLogger } from '../../platform/observability/logger.ts';
import { connectRedis } from '../../platform/redis/redis.ts';
import { announceChange } from '../../vocabulary/pools.ts';
import { deckShape } from '../../vocabulary/schema.ts';
import { findStores, showProgress } from '../command.ts';
import { BUILT_IN, digestBuiltIn, readBuiltIn } from './built-in.ts';
import { ImportError } from './connect.ts';
import type { DeckDefaults } from './dictionary.ts';
import { exportTerms } from './export-terms.ts';
import { type ImportOptions, importTerms } from './import-terms.ts';
import { openFile } from './open-file.ts';
import { describeProgress, type ImportProgress, number, reportLeftOut, summaryOf } from './report.ts';
import { listSources, removeSource } from './sources.ts';
import { problemsOf, type SourceRecord } from './term-record.ts';

const USAGE = `Usage:
  npm run vocab -- load
      Loads the built-in vocabulary: five languages, all twenty directions. Built-in words of
      another release that this release lacks are removed. It ends at once when neither the lists
      nor stored terms have changed since the last load.
  npm run vocab -- import FILE
      Imports terms from CSV or TSV with the header
        sourceLanguage,targetLanguage,pos,difficulty,sourceText,targetText,sourceGloss,field
      (sourceGloss and field, the semantic field, may be missing), from JSON Lines with the
      same fields, from FreeDict's dictionaries (TEI), or from Wiktextract's JSON Lines; the file may be
      compressed with gzip. An interrupted import changes nothing, and can be repeated. Malformed lines are
      listed and left out.
        --deck en-it  --pos noun  --difficulty B1   the deck of terms for which the file names none
        --source NAME  --licence NAME               the terms' source, shown to users
        --strict                                    nothing is imported if a line is malformed
        --dry-run                                   only tells what would change
  npm run vocab -- list
      Lists the sources of the terms.
  npm run vocab -- remove --source NAME
      Removes the terms of a source.
  npm run vocab -- export [--source NAME] [--deck en-it] [--pos noun] [--difficulty B1]
      Writes terms as CSV, which can be imported again.

DATABASE_URL names the database, and REDIS_URL the Redis that notifies running replicas. By default both are
those of the "npm run dev" that runs here.`;

const OPTIONS = {
  deck: { type: 'string' },
  pos: { type: 'string' },
  difficulty: { type: 'string' },
  source: { type: 'string' },
  licence: { type: 'string' },
  strict: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof readArgs>['values'];

const readArgs = (args: string[]) => parseArgs({ args, allowPositionals: true, options: OPTIONS });

const COMMANDS: Record<string, (values: Values, file: string) => Promise<void>> = {
  async load() {
    await run(readBuiltIn(), { source: BUILT_IN, strict: true, digest: await digestBuiltIn() }, newProgress());
  },

  async import(values, file) {
    const progress = newProgress();
    const { found, lines } = openFile(file, progress, readDeckOptions(values));
    // The beginning of the file, which is read before the source is needed, may name it.
    const source = () => ({
      name: values.source ?? found.name ?? found.file,
      licence: values.licence ?? found.licence ?? 'unknown',
    });
    const { strict = false, 'dry-run': isDry = false } = values;
    await run(lines, { source, strict, isDry }, progress);
  },

  async list() {
    for (const { name, licence, terms, decks } of await listSources(requireDatabase()))
      console.log(`${name} (${licence}): ${number(terms)} terms in ${number(decks)} decks`);
  },

  async remove({ source }) {
    if (source === undefined) throw new ImportError('Which source? Add --source NAME; "list" shows the names.');
    const removed = await removeSource(requireDatabase(), source);
    await notifyReplicas();
    console.log(`${number(removed)} terms removed.`);
  },

  async export(values) {
    await exportTerms(requireDatabase(), { ...readDeckOptions(values), source: values.source }, process.stdout);
  },
};

async function main(args: string[]): Promise<void> {
  const { positionals, values } = readArgs(args);
  const [name = '', file, ...surplus] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const fits = (name === 'import') === (file !== undefined) && surplus.length === 0;
  if (values.help) console.log(USAGE);
  else if (command && fits) await command(values, file ?? '');
  else throw new ImportError(USAGE);
}

const newProgress = (): ImportProgress => ({ bytesRead: 0, bytesTotal: 0, lines: 0 });

/** Imports the terms and reports the outcome. */
async function run(
  lines: AsyncIterable<SourceRecord>,
  options: Pick<ImportOptions, 'source' | 'strict' | 'isDry' | 'digest'>,
  progress: ImportProgress,
): Promise<void> {
  const databaseUrl = requireDatabase();
  const startedAt = performance.now();
  const stopShowing = showProgress((elapsedMs) => describeProgress(progress, elapsedMs), process.stderr);
  const onWait = () => console.error('Another import is under way: waiting for it to finish.');
  const result = await importTerms(lines, { ...options, databaseUrl, progress, onWait }).finally(stopShowing);
  reportLeftOut(result);
  if (!result.committed) {
    process.exitCode = 1;
    return;
  }
  if (!options.isDry && result.inserted + result.updated + result.removed > 0) await notifyReplicas();
  console.log(summaryOf(result, performance.now() - startedAt) + (options.isDry ? ' Nothing was written.' : ''));
}

function requireDatabase(): string {
  const { databaseUrl } = findStores();
  if (databaseUrl) return databaseUrl;
  throw new ImportError('Which database? Set DATABASE_URL, or start "npm run dev" here and try again.');
}

/** Notifies running replicas. Where Redis is away, they see the change within a minute. */
async function notifyReplicas(): Promise<void> {
  const { redis } = findStores();
  const connection = redis && connectRedis(redis, 'commands', createLogger('silent', 'vocab'));
  try {
    if (!connection) throw new Error('REDIS_URL is missing');
    await announceChange(connection);
  } catch {
    console.error('Redis was not reached: running replicas see the change within a minute.');
  } finally {
    connection?.disconnect();
  }
}

/** @returns the fields of a deck that the options name @throws ImportError when one has an invalid value */
function readDeckOptions(options: Values): DeckDefaults {
  const [sourceLanguage, targetLanguage, pos, difficulty, ...surplus] = options.deck?.split(/[^a-z0-9]+/i) ?? [];
  if (options.deck !== undefined && (!targetLanguage || surplus.length > 0 || sourceLanguage === targetLanguage))
    throw new ImportError('--deck names two different languages, as in en-it, or en-it-noun-A1.');
  const { data, error } = z
    .object(deckShape)
    .partial()
    .safeParse({
      sourceLanguage: sourceLanguage?.toLowerCase(),
      targetLanguage: targetLanguage?.toLowerCase(),
      pos: (options.pos ?? pos)?.toLowerCase(),
      difficulty: (options.difficulty ?? difficulty)?.toUpperCase(),
    });
  if (error) throw new ImportError(`The deck can't be: ${problemsOf(error)}.`);
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

/** @returns whether the message of an error is enough for the operator, without a stack */
function isForPeople(error: unknown): error is Error {
  if (error instanceof ImportError || error instanceof ConfigError) return true;
  // parseArgs throws these for an unknown option.
  return error instanceof TypeError && /^ERR_PARSE_ARGS/.test(String(Object(error).code));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isForPeople(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
