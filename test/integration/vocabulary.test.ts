// The vocabulary in PostgreSQL and in the memory of replicas. [contract 3]
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { connectPostgres, type Database } from '../../src/platform/postgres.ts';
import { randomInt } from '../../src/platform/random.ts';
import { createPools } from '../../src/vocabulary/pools.ts';
import { normalise, type Term } from '../../src/vocabulary/rules.ts';
import {
  type Deck,
  DIFFICULTIES,
  LANGUAGES,
  PARTS_OF_SPEECH,
} from '../../src/vocabulary/schema.ts';
import {
  acceptedTranslations,
  countDecks,
  SAMPLE_SIZE,
  sampleTerms,
} from '../../src/vocabulary/store.ts';
import { eventually } from '../support/eventually.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { startReplicas, type TestService } from '../support/service.ts';
import { startStores, type TestStores } from '../support/stores.ts';
import { createSignedInUser } from '../support/users.ts';
import { runVocab } from '../support/vocab-command.ts';
import { importTestTerms, loadTestVocabulary } from '../support/vocabulary.ts';

const HUGE_DECK_TERMS = 200_000;
const SMALL_DECK: Deck = {
  sourceLanguage: 'en',
  targetLanguage: 'it',
  pos: 'noun',
  difficulty: 'A1',
};
/** No built-in list goes from here to there: they are all nouns of the test. */
const HUGE_DECK: Deck = { ...SMALL_DECK, sourceLanguage: 'de', difficulty: 'C2' };

function* hugeDeck() {
  for (let at = 0; at < HUGE_DECK_TERMS; at++)
    yield { ...HUGE_DECK, sourceText: `Wort ${at}`, targetText: `parola ${at}` };
}

describe('the store', () => {
  let stores: TestStores;
  let small: number;

  beforeAll(async () => {
    stores = await startStores();
    await loadTestVocabulary(stores.databaseUrl, { everything: true });
    await importTestTerms(stores.databaseUrl, hugeDeck());
    const { terms } = (await withDatabase(countDecks)).find((deck) => isSame(deck, SMALL_DECK)) ?? {
      terms: 0,
    };
    small = terms;
  }, 180_000);
  afterAll(() => stores.stop());

  const isSame = (one: Deck, other: Deck) =>
    (['sourceLanguage', 'targetLanguage', 'pos', 'difficulty'] as const).every(
      (field) => one[field] === other[field],
    );

  /** Runs `use` on a connection of its own. */
  async function withDatabase<T>(use: (db: Database) => Promise<T>): Promise<T> {
    const db = connectPostgres(stores.databaseUrl, 1);
    try {
      return await use(db);
    } finally {
      await db.$disconnect();
    }
  }

  /** @returns what PostgreSQL read of the table of terms while `use` ran, by its own account */
  async function costOf(use: (db: Database) => Promise<unknown>) {
    const before = await readStatistics();
    await withDatabase(use);
    const after = await readStatistics();
    expect(after.scans).toBeGreaterThan(before.scans);
    return {
      wholeTableScans: after.wholeTableScans - before.wholeTableScans,
      rows: after.rows - before.rows,
    };
  }

  async function readStatistics() {
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    // A connection hands its numbers in when it ends, which is a moment after it was closed.
    await eventually(async () => {
      const others = await client.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
            AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      expect(others.rows).toEqual([]);
    });
    const { rows } = await client.query<Record<'wholeTableScans' | 'scans' | 'rows', number>>(
      `SELECT seq_scan::int AS "wholeTableScans", (seq_scan + idx_scan)::int AS scans,
              (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
                                WHERE relname = 'term'))::int AS rows
         FROM pg_stat_user_tables WHERE relname = 'term'`,
    );
    await client.end();
    return rows[0] as Record<'wholeTableScans' | 'scans' | 'rows', number>;
  }

  test.each([
    ['in the middle', 0.4],
    ['at the start', 0],
    ['at the end, where it wraps around', 0.9999],
  ])(
    'samples a deck of 200,000 terms beginning %s, and reads no more than the sample',
    async (_where, start) => {
      let size = 0;
      const cost = await costOf(async (db) => {
        const { terms, isWhole } = await sampleTerms(db, HUGE_DECK, start);
        expect(isWhole).toBe(false);
        size = new Set(terms.map((term) => term.sourceKey)).size;
      });
      expect(cost.wholeTableScans).toBe(0);
      // And perhaps the one entry of the index at which it stops.
      expect(cost.rows).toBeLessThanOrEqual(size + 1);
      expect(size).toBeGreaterThan(0.8 * SAMPLE_SIZE);
      expect(size).toBeLessThan(1.2 * SAMPLE_SIZE);
    },
  );

  test('samples different parts of a large deck', async () => {
    const [one, other] = await withDatabase((db) =>
      Promise.all([0.1, 0.6].map((start) => sampleTerms(db, HUGE_DECK, start))),
    );
    // A word with two translations is two terms, each with a place of its own.
    const nameOf = ({ sourceKey, targetKey }: Term) => `${sourceKey} ${targetKey}`;
    const seen = new Set(one?.terms.map(nameOf));
    expect(other?.terms.filter((term) => seen.has(nameOf(term)))).toEqual([]);
  });

  test('gives a small deck whole, and reads nothing else', async () => {
    let size = 0;
    const cost = await costOf(async (db) => {
      const { terms, isWhole } = await sampleTerms(db, SMALL_DECK, 0.7);
      expect(isWhole).toBe(true);
      size = terms.length;
    });
    expect(cost).toEqual({ wholeTableScans: 0, rows: small });
    expect(size).toBe(small);
    expect(small).toBeGreaterThanOrEqual(60);
  });

  test('keeps a deck in memory with all that is remembered of it until something changes, and of a large one another part after half an hour', async () => {
    await withDatabase(async (db) => {
      const logger = createLogger('silent', 'test');
      let nowMs = 0;
      const pools = createPools({ db, logger, random: randomInt, now: () => nowMs });
      const read = (deck = SMALL_DECK) => {
        pools.invalidate();
        return pools.pool(deck);
      };
      const first = await read();
      expect(await read()).toBe(first);
      await importTestTerms(stores.databaseUrl, [{ sourceText: 'Gnu', targetText: 'gnu' }]);
      small += 1;
      const second = await read();
      expect(second).not.toBe(first);
      expect(second.terms).toHaveLength(small);
      expect(await read()).toBe(second);

      const sample = await read(HUGE_DECK);
      nowMs += 29 * 60_000;
      expect(await read(HUGE_DECK)).toBe(sample);
      nowMs += 60_000;
      expect(await read(HUGE_DECK)).not.toBe(sample);
      expect(await read()).toBe(second);
    });
  });

  test('finds every accepted translation of a sample by index, without a scan of the table', async () => {
    const prompts = (await withDatabase((db) => sampleTerms(db, HUGE_DECK, 0.2))).terms.map(
      (term) => term.sourceKey,
    );
    const cost = await costOf((db) => acceptedTranslations(db, HUGE_DECK, prompts));
    expect(cost.wholeTableScans).toBe(0);
    expect(cost.rows).toBeLessThan(3 * SAMPLE_SIZE);
  });

  test('finds accepted translations in every deck of the direction, and in no other direction', async () => {
    const noun = { sourceText: 'Bagnole', sourceGloss: 'a vehicle' };
    await importTestTerms(stores.databaseUrl, [
      { ...noun, sourceLanguage: 'fr', targetText: 'macchina' },
      { ...noun, sourceLanguage: 'fr', sourceGloss: 'another gloss', targetText: 'AUTO' },
      { ...noun, sourceLanguage: 'fr', pos: 'verb', difficulty: 'B2', targetText: 'vettura' },
      { ...noun, sourceLanguage: 'fr', targetLanguage: 'es', targetText: 'coche' },
    ]);
    const found = await withDatabase((db) =>
      acceptedTranslations(db, { sourceLanguage: 'fr', targetLanguage: 'it' }, ['bagnole']),
    );
    expect(found.map(({ targetKey }) => targetKey).toSorted()).toEqual([
      'auto',
      'macchina',
      'vettura',
    ]);
  });

  test('lists the decks with their counts without reading a single term', async () => {
    const cost = await costOf(async (db) => {
      const decks = await countDecks(db);
      const huge = decks.find((deck) => isSame(deck, HUGE_DECK));
      expect(huge?.terms).toBeGreaterThanOrEqual(HUGE_DECK_TERMS);
      // Something to be counted, so that nothing more is seen to be nothing.
      await sampleTerms(db, SMALL_DECK, 0);
    });
    expect(cost).toEqual({ wholeTableScans: 0, rows: small });
  });

  test('imports into a large table by index alone', async () => {
    const cost = await costOf(async () => {
      const { unchanged, inserted } = await importTestTerms(stores.databaseUrl, [
        { ...HUGE_DECK, sourceText: 'Wort 7', targetText: 'parola 7' },
      ]);
      expect({ unchanged, inserted }).toEqual({ unchanged: 1, inserted: 0 });
    });
    expect(cost.wholeTableScans).toBe(0);
    expect(cost.rows).toBeLessThan(10);
  });
});

describe('GET /api/v1/vocabulary', () => {
  let stores: TestStores;
  let replicas: TestService[];
  let clients: HttpClient[];

  beforeAll(async () => {
    stores = await startStores();
    await loadTestVocabulary(stores.databaseUrl);
    replicas = await startReplicas(stores, 2);
    const { cookie } = await createSignedInUser((replicas[0] as TestService).services);
    clients = replicas.map(({ url }) => createHttpClient(url, { cookie }));
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await stores.stop();
  });

  /** @returns what every replica says */
  const ask = () => Promise.all(clients.map((client) => client.get('/api/v1/vocabulary')));

  test('says what can be asked for: languages, parts of speech, difficulties, decks with their terms', async () => {
    for (const { status, body } of await ask()) {
      expect(status).toBe(200);
      expect({ ...body, decks: undefined }).toEqual({
        languages: [...LANGUAGES],
        partsOfSpeech: [...PARTS_OF_SPEECH],
        difficulties: [...DIFFICULTIES],
        decks: undefined,
      });
      expect(body.decks.length).toBeGreaterThanOrEqual(8);
      const { terms } = body.decks[0];
      const sources = [{ name: 'built-in', licence: 'CC0-1.0', terms }];
      expect(body.decks[0]).toEqual({
        ...SMALL_DECK,
        terms,
        questions: expect.any(Number),
        sources,
      });
      for (const { terms, questions } of body.decks) {
        expect(terms).toBeGreaterThanOrEqual(20);
        expect(questions).toBeGreaterThanOrEqual(20);
        expect(questions).toBeLessThanOrEqual(terms);
      }
    }
  });

  test('needs a signed-in user', async () => {
    const { url } = replicas[0] as TestService;
    const { status, body } = await createHttpClient(url).get('/api/v1/vocabulary');
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  });

  test('an import made while replicas run is visible at once on all of them', async () => {
    const deck = { sourceLanguage: 'de', targetLanguage: 'fr', pos: 'verb', difficulty: 'C2' };
    const request = { ...deck, questionCount: 5 };
    const start = () =>
      Promise.all(clients.map((client) => client.post('/api/v1/game/start', request)));
    await ask();
    for (const { body } of await start()) expect(body.code).toBe('NO_MATCHING_TERMS');

    const terms = Array.from({ length: 6 }, (_, at) => ({
      ...deck,
      sourceText: `d${at}`,
      targetText: `f${at}`,
    }));
    const file = join(mkdtempSync(join(inject('temporaryFolder'), 'import-')), 'mine.jsonl');
    const importLines = (lines: object[]) => {
      writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
      const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
      return runVocab(['import', file], env);
    };
    expect(await importLines(terms)).toMatchObject({ code: 0, stderr: '' });
    // Long before the minute after which they would look by themselves.
    await eventually(async () => {
      const sources = [{ name: 'mine.jsonl', licence: 'unknown', terms: 6 }];
      for (const { body } of await ask())
        expect(body.decks).toContainEqual({ ...deck, terms: 6, questions: 6, sources });
      for (const { status } of await start()) expect(status).toBe(201);
    });

    const glosses = terms.map((term) => ({ ...term, sourceGloss: 'renewed' }));
    expect(await importLines(glosses)).toMatchObject({ code: 0, stderr: '' });
    await eventually(async () => {
      for (const { body } of await start())
        for (const { gloss } of body.questions) expect(gloss).toBe('renewed');
    });
  });

  test('an import with Redis away is visible at once for a deck that was empty', async () => {
    const deck = { sourceLanguage: 'it', targetLanguage: 'fr', pos: 'adverb', difficulty: 'C1' };
    const request = { ...deck, questionCount: 4 };
    const client = clients[0] as HttpClient;
    expect((await client.post('/api/v1/game/start', request)).body.code).toBe('NO_MATCHING_TERMS');
    // Nobody announces what is not imported by the command.
    await importTestTerms(
      stores.databaseUrl,
      Array.from({ length: 4 }, (_, at) => ({
        ...deck,
        sourceText: `i${at}`,
        targetText: `f${at}`,
      })),
    );
    expect((await client.post('/api/v1/game/start', request)).status).toBe(201);
  });
});

test('texts are stored with the keys that they are compared by', async () => {
  const stores = await startStores();
  try {
    await importTestTerms(stores.databaseUrl, [
      { sourceText: 'STREET ', targetText: 'Stra\u00DFe' },
    ]);
    const db = connectPostgres(stores.databaseUrl, 1);
    const [term] = (await sampleTerms(db, SMALL_DECK, randomInt(100) / 100)).terms;
    await db.$disconnect();
    expect(term).toMatchObject({ sourceText: 'STREET', sourceKey: 'street', targetKey: 'strasse' });
    expect(term?.targetKey).toBe(normalise('STRASSE'));
  } finally {
    await stores.stop();
  }
});
