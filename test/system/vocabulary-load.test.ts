// The command `npm run vocab` with many terms: the built-in vocabulary of 91,500. [contract 9]
import { beforeAll, expect, test } from 'vitest';
import { countsOf, runVocab, type TermCounts, useVocab } from '../support/vocab-setup.ts';

const given = useVocab({ keepsTerms: true });
const { vocab, write } = given;

/** What two loads at once report: first the one that stores the terms, then the one that waits for it. */
let loads: TermCounts[];

beforeAll(async () => {
  const words = (name: string) => write(`${name}.csv`, `sourceText,targetText\n${name},a\n${name},b\n`);
  const deck = ['--deck', 'en-it-noun-A1'];
  const builtIn = ['--source', 'built-in', '--licence', 'CC0-1.0'];
  await vocab('import', words('earlier'), ...deck, ...builtIn);
  await vocab('import', words('mine'), ...deck, '--source', 'mine');
  // The memory is that of `npm run vocab`; the terms as objects would need more.
  const load = () => runVocab(['load'], given.env, ['--max-old-space-size=96', '--max-semi-space-size=2']);
  const outcomes = await Promise.all([load(), load()]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  loads = outcomes.map(({ stdout }) => countsOf(stdout)).toSorted((one, other) => other.new - one.new);
}, 240_000);

test('stores the terms of all twenty directions in constant memory, each of them once', async () => {
  const { rows } = await given.database.query(
    `SELECT count(DISTINCT (source_language, target_language))::int AS directions,
            sum(term_count)::int AS terms,
            sum(term_count - (SELECT count(*) FROM term WHERE deck_id = deck.id))::int AS miscounted
       FROM deck`,
  );
  const mine = 2;
  const terms = (loads[0]?.new ?? 0) + mine;
  expect(rows[0]).toEqual({ directions: 20, terms, miscounted: 0 });
  expect(terms).toBeGreaterThan(90_000);
});

test('waits for another load, and then finds every term unchanged', () => {
  expect(loads[1]).toEqual({ new: 0, updated: 0, unchanged: loads[0]?.new });
});

test('restores a built-in word that an import has changed', async () => {
  const line = 'house,CASA,a place with a new gloss';
  const file = write('gloss.csv', `sourceText,targetText,sourceGloss\n${line}\n`);
  expect(countsOf((await vocab('import', file, '--deck', 'en-it-noun-A1')).stdout).updated).toBe(1);
  expect(countsOf((await vocab('load')).stdout)).toMatchObject({ new: 0, updated: 1 });
});

test('gives each noun its field', async () => {
  const nouns = `SELECT FROM term JOIN deck ON deck.id = deck_id JOIN source ON source.id = source_id
                  WHERE pos = 'noun' AND field IS NULL AND source.name = 'built-in'`;
  expect((await given.database.query(nouns)).rows).toEqual([]);
});

test('removes the terms that an earlier release had loaded and this one lacks, and no others', async () => {
  const { rows } = await given.database.query(
    `SELECT source_text || ' ' || target_text AS term FROM term
      WHERE source_text IN ('earlier', 'mine') ORDER BY term`,
  );
  expect(rows.map(({ term }) => term)).toEqual(['mine a', 'mine b']);
});
