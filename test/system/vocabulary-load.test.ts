// A load of the built-in vocabulary stores each of its 91,500 terms once, and ends at once when nothing has changed
// since the last one. [contract 9]
import { describe, expect, test } from 'vitest';
import { type ImportResult, importTerms } from '../../src/tools/import/import-terms.ts';
import type { SourceRecord } from '../../src/tools/import/term-record.ts';
import { runVocab, useVocab } from '../support/vocab-setup.ts';

const given = useVocab();
const { vocab, importText } = given;

const DECK = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' } as const;
const WORDS = { house: 'casa', dog: 'cane' };

/** Loads a small list like the built-in ones. @returns the result, and whether the load read the list */
async function load(
  digest: string,
  words: Record<string, string> = WORDS,
  { onRead, onWait }: { onRead?: () => Promise<void>; onWait?: () => void } = {},
): Promise<ImportResult & { hasRead: boolean }> {
  let hasRead = false;
  async function* lines(): AsyncGenerator<SourceRecord> {
    hasRead = true;
    await onRead?.();
    for (const [sourceText, targetText] of Object.entries(words))
      yield { line: 1, fields: { ...DECK, sourceText, targetText } };
  }
  const { databaseUrl } = given.stores;
  const source = { name: 'small', licence: 'none' };
  const options = { databaseUrl, source, digest, strict: true, ...(onWait && { onWait }) };
  return { ...(await importTerms(lines(), options)), hasRead };
}

const importLine = (line: string) => importText(`sourceText,targetText\n${line}\n`, DECK);

const NOTHING_TO_DO = { hasRead: false, inserted: 0, updated: 0, unchanged: 2, removed: 0 };

describe('a load', () => {
  test('reads no list when nothing has changed since the last load, also by an import', async () => {
    expect(await load('first')).toMatchObject({ hasRead: true, inserted: 2 });
    expect(await load('first')).toMatchObject({ ...NOTHING_TO_DO, committed: true });
    await importLine('house,casa');
    expect(await load('first')).toMatchObject(NOTHING_TO_DO);
  });

  test('compares all terms when the lists or the code have changed', async () => {
    await load('first');
    const words = { house: 'casa', cat: 'gatto' };
    expect(await load('second', words)).toMatchObject({ inserted: 1, unchanged: 1, removed: 1 });
    expect(await load('first')).toMatchObject({ inserted: 1, unchanged: 1, removed: 1 });
  });

  test.each<[string, () => Promise<unknown>, object]>([
    ['an import has changed a term', () => importLine('house,CASA'), { updated: 1, unchanged: 1 }],
    ['an import has added a term', () => importLine('cat,gatto'), { unchanged: 2 }],
    ['its terms were removed with their source', () => vocab('remove', '--source', 'small'), { inserted: 2 }],
    [
      'a term was removed by SQL',
      () => given.database.query(`DELETE FROM term WHERE source_text = 'dog'`),
      { inserted: 1, unchanged: 1 },
    ],
  ])('compares all terms when %s', async (_when, change, expected) => {
    await load('first');
    await change();
    expect(await load('first')).toMatchObject({ hasRead: true, ...expected });
    expect(await load('first')).toMatchObject(NOTHING_TO_DO);
  });

  test('restores a term that was removed with the source that had brought it first', async () => {
    await importLine('house,casa');
    expect(await load('first')).toMatchObject({ inserted: 1, unchanged: 1 });
    await vocab('remove', '--source', 'test');
    expect(await load('first')).toMatchObject({ inserted: 1, unchanged: 1 });
  });

  test('compares all terms after a load that a malformed line has ended', async () => {
    await load('first');
    expect(await load('second', { house: '' })).toMatchObject({ committed: false });
    expect(await load('second')).toMatchObject({ hasRead: true, unchanged: 2 });
  });

  test('waits for another load, and then reads no list', async () => {
    const [reading, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const onRead = () => {
      reading.resolve();
      return waiting.promise;
    };
    const first = load('first', WORDS, { onRead });
    await reading.promise;
    const second = load('first', WORDS, { onWait: waiting.resolve });
    expect(await first).toMatchObject({ hasRead: true, inserted: 2 });
    expect(await second).toMatchObject(NOTHING_TO_DO);
  });
});

test('two loads at once store the terms of all twenty directions in constant memory, each of them once', async () => {
  // The memory is that of `npm run vocab`; the terms as objects would need more.
  const loadAll = () => runVocab(['load'], given.env, ['--max-old-space-size=96', '--max-semi-space-size=2']);
  const outcomes = await Promise.all([loadAll(), loadAll()]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  /** What each has reported: the new, the updated and the unchanged terms. */
  const counts = outcomes.map(({ stdout }) => [...stdout.matchAll(/[\d,]+(?= (?:new|updated|unchanged))/g)]);
  const loads = counts.map((found) => found.map(([count]) => Number(count.replaceAll(',', ''))));
  const terms = Math.max(...loads.flat());
  expect(terms).toBeGreaterThan(90_000);
  expect(loads.toSorted(([one = 0], [other = 0]) => other - one)).toEqual([
    [terms, 0, 0],
    [0, 0, terms],
  ]);
  const { rows } = await given.database.query(
    `SELECT count(DISTINCT (source_language, target_language))::int AS directions, sum(term_count)::int AS terms,
            sum(term_count - (SELECT count(*) FROM term WHERE deck_id = deck.id))::int AS miscounted
       FROM deck`,
  );
  expect(rows[0]).toEqual({ directions: 20, terms, miscounted: 0 });
}, 240_000);
