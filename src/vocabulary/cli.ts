// npm run vocab: fills the database with the built-in vocabulary or a person's own. [contract 9]
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { findStores } from '../local-stack/store-addresses.ts';
import { createLogger } from '../platform/logger.ts';
import { connectRedis } from '../platform/redis.ts';
import { announceChange } from './changes.ts';
import { BUILT_IN, readBuiltIn } from './import/built-in.ts';
import { checkTerms } from './import/check-terms.ts';
import { exportTerms } from './import/export-terms.ts';
import { readGiven } from './import/given.ts';
import { ImportError } from './import/import-error.ts';
import { nameOfFile } from './import/import-progress.ts';
import { type ImportOptions, importTerms } from './import/import-terms.ts';
import { type OpenFile, openFile } from './import/open-file.ts';
import { showProgress } from './import/progress.ts';
import { checkSummaryOf, number, reportLeftOut, summaryOf } from './import/report.ts';
import { listSources, removeSource, type Source } from './import/sources.ts';

const USAGE = `Usage:
  npm run vocab -- load
      Loads the built-in vocabulary: five languages, all twenty directions. Built-in words of
      another release that this one has no more are taken out.
  npm run vocab -- import FILE
      Imports terms from CSV or TSV with the header
        sourceLanguage,targetLanguage,pos,difficulty,sourceText,targetText,sourceGloss,field
      (sourceGloss, and field, what a word is about, may be missing), from JSON Lines with the
      same fields, from FreeDict's dictionaries (TEI, or a pair of .index and .dict.dz), or from
      Wiktextract's JSON Lines; packed with gzip or not. Repeated, it changes nothing; interrupted, it goes on.
      Bad lines are told and left out.
        --deck en-it  --pos noun  --difficulty B1   what the file doesn't say
        --source NAME  --licence NAME               where it comes from, shown to users
        --strict                                    a bad line keeps everything out
        --dry-run                                   only tells what is in the file
  npm run vocab -- list
      Lists where the terms come from.
  npm run vocab -- remove --source NAME
      Removes the terms of a source.
  npm run vocab -- export [--source NAME] [--deck en-it] [--pos noun] [--difficulty B1]
      Writes terms as CSV, as they can be imported again.

DATABASE_URL names the database, and REDIS_URL the Redis through which running replicas are told;
without them, those of the "npm run dev" that runs here.`;

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

/** The commands: each returns the process's exit code. */
const COMMANDS: Record<string, (values: Values, file: string) => Promise<number>> = {
  load: () => run(readBuiltIn(), { source: BUILT_IN, strict: true, isWhole: true }, newProgress()),

  async import(values, file) {
    const given = readGiven(values);
    const progress = newProgress();
    const opened = await openFile(file, progress, given);
    if (!opened.hasLevels && !given.difficulty)
      throw new ImportError(
        'The file doesn’t say how difficult its words are: add --difficulty B1, say.',
      );
    if (values['dry-run']) return check(opened, values.strict ?? false, progress);
    const name = await nameOfFile(file, { given, source: values.source });
    const source = () => sourceOf(values, opened, file);
    const options = { source, strict: values.strict ?? false, file: name };
    return run(opened.lines, options, progress);
  },

  async list() {
    for (const { name, licence, terms, decks } of await listSources(requireDatabase()))
      console.log(`${name} (${licence}): ${number(terms)} terms in ${number(decks)} decks`);
    return 0;
  },

  async remove({ source }) {
    if (source === undefined) throw new ImportError('Which source? Add --source NAME; list tells.');
    const removed = await removeSource(requireDatabase(), source);
    await tellReplicas();
    console.log(`${number(removed)} terms removed.`);
    return 0;
  },

  async export(values) {
    const { source } = values;
    await exportTerms(requireDatabase(), { ...readGiven(values), source }, process.stdout);
    return 0;
  },
};

/** @returns the process's exit code */
async function main(args: string[]): Promise<number> {
  const { positionals, values } = readArgs(args);
  const [name = '', file, ...surplus] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const fits = (name === 'import') === (file !== undefined) && surplus.length === 0;
  if (values.help || !command || !fits) {
    (values.help ? console.log : console.error)(USAGE);
    return values.help ? 0 : 1;
  }
  return command(values, file ?? '');
}

const newProgress = () => ({ bytesRead: 0, bytesTotal: 0, lines: 0 });
type Progress = ReturnType<typeof newProgress>;

async function run(
  lines: OpenFile['lines'],
  options: Pick<ImportOptions, 'source' | 'strict' | 'isWhole' | 'file'>,
  progress: Progress,
): Promise<number> {
  const databaseUrl = requireDatabase();
  const startedAt = performance.now();
  const stopShowing = showProgress(progress, process.stderr);
  const onWait = () => console.error('Another import is under way: waiting for it to finish.');
  const result = await importTerms(lines, { ...options, databaseUrl, progress, onWait }).finally(
    stopShowing,
  );
  reportLeftOut(result, result.committed);
  if (!result.committed) return 1;
  if (result.inserted + result.updated + result.removed > 0) await tellReplicas();
  console.log(summaryOf(result, performance.now() - startedAt));
  return 0;
}

async function check({ lines }: OpenFile, strict: boolean, progress: Progress): Promise<number> {
  const stopShowing = showProgress(progress, process.stderr);
  const result = await checkTerms(lines, { strict, progress }).finally(stopShowing);
  reportLeftOut(result, !strict);
  console.log(checkSummaryOf(result));
  return strict && result.bad.count > 0 ? 1 : 0;
}

/** Asked when the file has said of itself what it can. */
function sourceOf({ source, licence }: Values, { found }: OpenFile, file: string): Source {
  const name = source ?? found.name ?? basename(file);
  return { name, licence: licence ?? found.licence ?? 'unknown' };
}

function requireDatabase(): string {
  const { databaseUrl } = findStores();
  if (databaseUrl) return databaseUrl;
  throw new ImportError(
    'Which database? Set DATABASE_URL, or start "npm run dev" here and try again.',
  );
}

/** Without Redis the change stands all the same: replicas look again within a minute. */
async function tellReplicas(): Promise<void> {
  const { redis } = findStores();
  const connection = redis && connectRedis(redis, 'commands', createLogger('silent', 'vocab'));
  try {
    if (!connection) throw new Error('no Redis is named');
    await announceChange(connection);
  } catch {
    console.error('Redis was not reached: replicas that run will see the change within a minute.');
  } finally {
    connection?.disconnect();
  }
}

function isForPeople(error: unknown): error is Error {
  if (error instanceof ImportError || error instanceof ConfigError) return true;
  // parseArgs, of an unknown option.
  return error instanceof TypeError && /^ERR_PARSE_ARGS/.test(String(Object(error).code));
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!isForPeople(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
