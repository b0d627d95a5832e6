// npm run vocab: fills the database with the built-in vocabulary or a person's own. [contract 9]
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { findStores } from '../local-stack/store-addresses.ts';
import { createLogger } from '../platform/logger.ts';
import { connectRedis } from '../platform/redis.ts';
import { announceChange } from './changes.ts';
import { BUILT_IN, readBuiltIn } from './import/built-in.ts';
import { readRecords } from './import/formats.ts';
import { ImportError } from './import/import-error.ts';
import { type ImportResult, importTerms } from './import/import-terms.ts';
import { type ReadProgress, readLines } from './import/lines.ts';
import { showProgress } from './import/progress.ts';

const USAGE = `Usage:
  npm run vocab -- load
      Loads the built-in vocabulary: five languages, all twenty directions.
  npm run vocab -- import FILE [--skip-bad]
      Imports your own terms from CSV or TSV with the header
        sourceLanguage,targetLanguage,pos,difficulty,sourceText,targetText,sourceGloss
      (sourceGloss may be missing) or from JSON Lines with the same fields.
      If a line is bad nothing is imported, unless --skip-bad leaves such lines out.

Both may be repeated: what is there already is left as it is. DATABASE_URL names the database, and
REDIS_URL the Redis through which running replicas are told; without them, those of the
"npm run dev" that runs here.`;

/** @returns the process's exit code */
async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'skip-bad': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, file, ...surplus] = positionals;
  const isLoad = command === 'load' && file === undefined;
  const isImport = command === 'import' && file !== undefined && surplus.length === 0;
  if (values.help || !(isLoad || isImport)) {
    (values.help ? console.log : console.error)(USAGE);
    return values.help ? 0 : 1;
  }

  const { databaseUrl, redis } = findStores();
  if (!databaseUrl)
    throw new ImportError(
      'Which database? Set DATABASE_URL, or start "npm run dev" here and try again.',
    );
  const startedAt = performance.now();
  const progress = { bytesRead: 0, bytesTotal: 0, lines: 0 };
  const stopShowing = showProgress(progress, process.stderr);
  const result = await importTerms(linesOf(file, progress), {
    databaseUrl,
    source: file === undefined ? BUILT_IN : { name: basename(file), licence: 'unknown' },
    skipBad: values['skip-bad'] ?? false,
    progress,
    onWait: () => console.error('Another import is under way: waiting for it to finish.'),
  }).finally(stopShowing);
  reportBadLines(result);
  if (!result.committed) return 1;
  if (result.inserted + result.updated > 0) await tellReplicas(redis);
  console.log(summaryOf(result, performance.now() - startedAt));
  return 0;
}

function linesOf(file: string | undefined, progress: ReadProgress) {
  return file === undefined ? readBuiltIn() : readRecords(readLines(file, progress));
}

/** Without Redis the import stands all the same: replicas look again within a minute. */
async function tellReplicas(redis: { url: string; cluster: boolean } | undefined): Promise<void> {
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

function reportBadLines({ bad, committed }: ImportResult): void {
  if (bad.count === 0) return;
  for (const { file, line, problem } of bad.first)
    console.error(`${file ? `${file}, ` : ''}line ${line}: ${problem}`);
  if (bad.count > bad.first.length)
    console.error(`… and ${number(bad.count - bad.first.length)} more`);
  const lines = bad.count === 1 ? '1 bad line' : `${number(bad.count)} bad lines`;
  console.error(
    committed
      ? `Left out ${lines}.`
      : `Nothing was imported because of ${lines}; --skip-bad imports the others.`,
  );
}

function summaryOf({ inserted, updated, unchanged }: ImportResult, durationMs: number): string {
  const seconds = (durationMs / 1000).toFixed(1);
  return `${number(inserted)} new, ${number(updated)} updated, ${number(unchanged)} unchanged terms in ${seconds} s.`;
}

function number(value: number): string {
  return value.toLocaleString('en');
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
