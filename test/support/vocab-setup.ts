// What the tests of `npm run vocab` begin with: stores of their own, a folder for the files that are
// imported, and the command, to which both are given.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { startStores, type TestStores } from './stores.ts';
import { type CommandOutcome, runVocab } from './vocab-command.ts';

export interface VocabSetup {
  /** Of the tests alone, as `database` and `env` are: they are started after the file was read. */
  readonly stores: TestStores;
  readonly database: pg.Client;
  /** The command's environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Writes a file into the folder. @returns its path */
  write(name: string, content: string | Buffer): string;
  /** Runs the command, say with `'import', file`. */
  vocab(...args: string[]): Promise<CommandOutcome>;
}

/** For the top of a file: starts what is given, empties the vocabulary after each test, stops at the end. */
export function useVocab(): VocabSetup {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'vocab-'));
  let stores: TestStores;
  let database: pg.Client;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    stores = await startStores();
    database = new pg.Client({ connectionString: stores.databaseUrl });
    await database.connect();
    env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, DATA_DIR: folder };
  });
  afterEach(() => database.query('TRUNCATE deck, source CASCADE'));
  afterAll(async () => {
    await database?.end();
    await stores?.stop();
  });
  return {
    get stores() {
      return stores;
    },
    get database() {
      return database;
    },
    get env() {
      return env;
    },
    folder,
    write(name, content) {
      const file = join(folder, name);
      writeFileSync(file, content);
      return file;
    },
    vocab: (...args) => runVocab(args, env),
  };
}
