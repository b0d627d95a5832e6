// The set-up of tests of `npm run vocab`: stores, a folder for files to import, and the command.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import type { DeckDefaults } from '../../src/tools/import/dictionary.ts';
import { importTerms } from '../../src/tools/import/import-terms.ts';
import { openFile } from '../../src/tools/import/open-file.ts';
import { runCommand } from './command.ts';
import { useStores } from './stores.ts';

/** Runs `npm run vocab`. @param args such as `['import', file]` @param nodeOptions such as a limit of memory */
export const runVocab = (args: string[], env: NodeJS.ProcessEnv, nodeOptions: string[] = []) =>
  runCommand([...nodeOptions, 'src/tools/import/cli.ts', ...args], env);

/** Starts the stores before the tests of a file, deletes all terms after each, and stops the stores afterwards. */
export function useVocab() {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'vocab-'));
  const stores = useStores();
  const env: NodeJS.ProcessEnv = { DATA_DIR: folder };
  const given = { database: undefined as unknown as pg.Client };
  beforeAll(async () => {
    Object.assign(env, { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl });
    given.database = new pg.Client({ connectionString: stores.databaseUrl });
    await given.database.connect();
  });
  afterEach(() => given.database.query('TRUNCATE deck, source CASCADE'));
  afterAll(() => given.database?.end());
  /** Writes a file to the folder. @returns its path */
  function write(name: string, content: string | Buffer): string {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  }
  return Object.assign(given, {
    stores,
    env,
    folder,
    write,
    vocab: (...args: string[]) => runVocab(args, env),
    /** @returns the stored terms as `en-it noun A1: source → target (gloss)`, sorted */
    async stored(): Promise<string[]> {
      const { rows } = await given.database.query<{ term: string }>(
        `SELECT source_language || '-' || target_language || ' ' || pos || ' ' || difficulty || ': ' ||
                source_text || ' → ' || target_text || coalesce(' (' || source_gloss || ')', '') AS term
           FROM term JOIN deck ON deck.id = deck_id`,
      );
      return rows.map(({ term }) => term).sort();
    },
    /**
     * Imports a file of this content in the test's own process.
     * @param defaults the deck's fields where the file leaves them out
     * @returns the outcome, and what is wrong with each bad line
     */
    async importText(content: string | Buffer, defaults: DeckDefaults = {}) {
      const { lines } = openFile(write('terms.txt', content), { bytesRead: 0, bytesTotal: 0 }, defaults);
      const options = { databaseUrl: stores.databaseUrl, source: { name: 'test', licence: 'none' } };
      const result = await importTerms(lines, options);
      return { ...result, problems: result.bad.first.map(({ line, problem }) => `line ${line}: ${problem}`) };
    },
  });
}
