// The store of the vocabulary reads decks by index, large ones as samples. [contract 3]
import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { Database, PostgresPool } from '../../src/platform/postgres/postgres.ts';
import { createPools } from '../../src/vocabulary/pools.ts';
import type { Term } from '../../src/vocabulary/rules.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { acceptedTranslations, countDecks, SAMPLE_SIZE, sampleTerms } from '../../src/vocabulary/store.ts';
import { eventually } from '../support/eventually.ts';
import { withPostgres } from '../support/sql.ts';
import { connectToPostgres, useStores } from '../support/stores.ts';
import { importTestTerms, A1_NOUNS as SMALL_DECK } from '../support/vocabulary.ts';

const HUGE_DECK_TERMS = 100_000;
/** A deck to which the built-in words contribute no term. */
const HUGE_DECK = { ...SMALL_DECK, sourceLanguage: 'de', difficulty: 'C2' } as const;

/** One in so many terms of the huge deck has the topic. */
const TOPIC_EVERY = 10;
const TOPIC = 'food';

type Statistics = Record<'wholeTableScans' | 'scans' | 'rows', number>;

function* hugeDeck() {
  for (let at = 0; at < HUGE_DECK_TERMS; at++) {
    const field = at % TOPIC_EVERY === 0 && { field: TOPIC };
    yield { sourceText: `Wort ${at}`, targetText: `parola ${at}`, ...field };
  }
}

describe('the store', () => {
  const stores = useStores({ hasWords: true });
  let small: number;

  beforeAll(async () => {
    await importTestTerms(stores.databaseUrl, hugeDeck(), HUGE_DECK);
    small = await withDatabase((db) => db.term.count({ where: { deck: SMALL_DECK } }));
  }, 180_000);

  /** Runs `use` on a connection of its own. */
  async function withDatabase<T>(use: (db: Database, postgres: PostgresPool) => Promise<T>): Promise<T> {
    const { db, postgres } = connectToPostgres(stores.databaseUrl, 1);
    try {
      return await use(db, postgres);
    } finally {
      await db.$disconnect();
    }
  }

  /** @returns the scans and rows of the table of terms that PostgreSQL counted while `use` ran */
  async function costOf(use: (db: Database) => Promise<unknown>) {
    const before = await readStatistics();
    await withDatabase(use);
    const after = await readStatistics();
    expect(after.scans).toBeGreaterThan(before.scans);
    return { wholeTableScans: after.wholeTableScans - before.wholeTableScans, rows: after.rows - before.rows };
  }

  const readStatistics = () =>
    withPostgres(stores.databaseUrl, async (client) => {
      // PostgreSQL adds a connection's counts when its process ends, which is a moment after the close.
      await eventually(async () => {
        const others = await client.query(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
              AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        expect(others.rows).toEqual([]);
      });
      const { rows } = await client.query<Statistics>(
        `SELECT seq_scan::int AS "wholeTableScans", (seq_scan + idx_scan)::int AS scans,
                (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes
                                  WHERE relname = 'term'))::int AS rows
           FROM pg_stat_user_tables WHERE relname = 'term'`,
      );
      return rows[0] as Statistics;
    });

  test('samples a large deck from any position, from its end on at its start, and reads no more than the sample', async () => {
    for (const start of [0.4, 0.9999]) {
      let size = 0;
      const cost = await costOf(async (db) => {
        const { terms, isWhole } = await sampleTerms(db, HUGE_DECK, start);
        expect(isWhole).toBe(false);
        size = new Set(terms.map((term) => term.sourceKey)).size;
      });
      expect(cost.wholeTableScans).toBe(0);
      // The scan may also read the entry of the index at which it stops.
      expect(cost.rows).toBeLessThanOrEqual(size + 1);
      expect(size).toBeGreaterThan(0.8 * SAMPLE_SIZE);
      expect(size).toBeLessThan(1.2 * SAMPLE_SIZE);
    }
  });

  test('[contract 26] samples a topic of a large deck, and reads no more than the sample', async () => {
    for (const start of [0.3, 0.999]) {
      const cost = await costOf(async (db) => {
        const { terms } = await sampleTerms(db, { ...HUGE_DECK, topic: TOPIC }, start);
        expect(new Set(terms.map(({ sourceKey }) => sourceKey)).size).toBe(SAMPLE_SIZE);
        expect(terms.every(({ field }) => field === TOPIC)).toBe(true);
      });
      expect(cost.wholeTableScans).toBe(0);
      expect(cost.rows).toBeLessThan(1.2 * SAMPLE_SIZE);
    }
    await withDatabase(async (db, postgres) => {
      const pools = createPools({ db, postgres, logger: createLogger('silent', 'test'), random: randomInt });
      const pool = await pools.pool({ ...HUGE_DECK, topic: TOPIC });
      expect(await pools.pool({ ...HUGE_DECK, topic: TOPIC })).toBe(pool);
      expect(pool.supply).toEqual({ terms: SAMPLE_SIZE, prompts: SAMPLE_SIZE, questions: SAMPLE_SIZE });
      const [term] = pool.terms as [Term];
      const texts = pool.distractors(term, undefined, randomInt) ?? [];
      expect(texts.map((text) => Number(text.split(' ')[1]) % TOPIC_EVERY)).toEqual([0, 0, 0]);
      expect((await pools.pool({ ...HUGE_DECK, topic: 'none' })).supply.terms).toBe(0);
    });
  });

  test('returns a small deck whole, and reads no other rows', async () => {
    const cost = await costOf(async (db) => {
      const { terms, isWhole } = await sampleTerms(db, SMALL_DECK, 0.7);
      expect([terms.length, isWhole]).toEqual([small, true]);
    });
    expect(cost).toEqual({ wholeTableScans: 0, rows: small });
    expect(small).toBeGreaterThanOrEqual(60);
  });

  test('caches a deck until it changes, and the sample of a large one for half an hour', async () => {
    await withDatabase(async (db, postgres) => {
      const logger = createLogger('silent', 'test');
      let nowMs = 0;
      const pools = createPools({ db, postgres, logger, random: randomInt, now: () => nowMs });
      const read = (deck: Deck = SMALL_DECK) => {
        pools.invalidate();
        return pools.pool(deck);
      };
      const first = await read();
      expect(await read()).toBe(first);
      await importTestTerms(stores.databaseUrl, [{ sourceText: 'Gnu', targetText: 'gnu' }]);
      small += 1;
      const second = await read();
      expect(second).not.toBe(first);
      expect([...second.byPrompt.values()].flat()).toHaveLength(small);
      expect(await read()).toBe(second);

      const sample = await read(HUGE_DECK);
      nowMs += 29 * 60_000;
      expect(await read(HUGE_DECK)).toBe(sample);
      nowMs += 60_000;
      expect(await read(HUGE_DECK)).not.toBe(sample);
      expect(await read()).toBe(second);
    });
  });

  test('finds the accepted translations of a sample by index, without a scan of the table', async () => {
    const prompts = (await withDatabase((db) => sampleTerms(db, HUGE_DECK, 0.2))).terms.map((term) => term.sourceKey);
    const cost = await costOf((db) => acceptedTranslations(db, HUGE_DECK, prompts));
    expect(cost.wholeTableScans).toBe(0);
    expect(cost.rows).toBeLessThan(3 * SAMPLE_SIZE);
  });

  test('lists the decks with their counts without reading a single term', async () => {
    const cost = await costOf(async (db) => {
      const decks = await countDecks(db);
      expect(decks).toContainEqual(expect.objectContaining({ ...SMALL_DECK, terms: small }));
      expect(decks).toContainEqual(expect.objectContaining({ ...HUGE_DECK, terms: HUGE_DECK_TERMS }));
      // This read must be the only one that PostgreSQL counts.
      await sampleTerms(db, SMALL_DECK, 0);
    });
    expect(cost).toEqual({ wholeTableScans: 0, rows: small });
  });
});
