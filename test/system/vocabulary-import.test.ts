// `npm run vocab` imports files of terms. [contract 9]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runVocab, useVocab } from '../support/vocab-setup.ts';

const HEADER = 'sourceLanguage,targetLanguage,pos,difficulty,sourceText,targetText,sourceGloss';
const ROW = 'en,it,noun,A1,house,casa,a building';
const DECK = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };
const HOUSE = { ...DECK, sourceText: 'house', targetText: 'casa', sourceGloss: 'a building' };

const given = useVocab();
const { folder, write, vocab, importText, stored } = given;

const inDeck = (term: string) => `en-it noun A1: ${term}`;

/** Expects that the count of each deck is the number of its terms. */
async function expectRightCounts(): Promise<void> {
  const { rows } = await given.database.query(
    `SELECT * FROM deck WHERE term_count <> (SELECT count(*) FROM term WHERE deck_id = deck.id)`,
  );
  expect(rows).toEqual([]);
}

describe('import', () => {
  test.each([
    ['CSV', `${HEADER}\n${ROW}\n`],
    ['CSV with the line ends and the byte order mark of Windows', `\uFEFF${HEADER}\r\n${ROW}\r\n`],
    ['CSV with semicolons', `${HEADER}\n${ROW}\n`.replaceAll(',', ';')],
    ['CSV with quotes', `${HEADER}\n"en","it","noun","A1","house","casa","a building"`],
    ['TSV', `${HEADER}\n${ROW}\n`.replaceAll(',', '\t')],
    ['columns in another order', [HEADER, ROW].map((line) => line.split(',').reverse().join()).join('\n')],
    ['JSON Lines', `\n${JSON.stringify(HOUSE)}\n\n`],
  ])('reads %s', async (_name, content) => {
    expect(await importText(content)).toMatchObject({ inserted: 1, problems: [] });
    expect(await stored()).toEqual(['en-it noun A1: house → casa (a building)']);
  });

  test('accepts commas and quotes within quotes, normalises texts, and needs no gloss', async () => {
    await importText(`${HEADER}\nen,it,noun,A1,"a ""b"", c",  casa ,\nen,it,noun,A1,city,citta\u0300\n`);
    expect(await stored()).toEqual(['en-it noun A1: a "b", c → casa', 'en-it noun A1: city → città']);
  });

  test('stores the field of a word, which a line without a field does not remove', async () => {
    const fields = async () =>
      (await given.database.query('SELECT DISTINCT field FROM term')).rows.map(({ field }) => field);
    for (const content of [`${HEADER},field\n${ROW},home\n`, `${HEADER}\n${ROW}\n`, `${HEADER},field\n${ROW}, \n`]) {
      await importText(content);
      expect(await fields()).toEqual(['home']);
    }
    expect(await importText(`${HEADER},field\n${ROW},places\n`)).toMatchObject({ updated: 1 });
    expect(await fields()).toEqual(['places']);
  });

  test('changes nothing when it is repeated, and updates glosses and spellings', async () => {
    const lines = (gloss: string, word = 'casa') =>
      `${HEADER}\nen,it,noun,A1,house,${word},${gloss}\nen,it,noun,A1,cat,gatto,\n`;
    for (const [content, inserted, updated] of [
      [lines('a building'), 2, 0],
      [lines('a building'), 0, 0],
      [lines('where people live'), 0, 1],
      [lines('where people live', 'CASA'), 0, 1],
      [lines('', 'CASA'), 0, 0],
    ] as const)
      expect(await importText(content)).toMatchObject({ inserted, updated, unchanged: 2 - inserted - updated });
    expect(await stored()).toEqual(['cat → gatto', 'house → CASA (where people live)'].map(inDeck));
    await expectRightCounts();
  });

  test('merges lines of one file that have the same terms', async () => {
    const lines = [HEADER, ROW, ROW, 'en,it,noun,A1,HOUSE,casa,', 'en,it,noun,A2,house,casa,'];
    expect(await importText(lines.join('\n'))).toMatchObject({ inserted: 2, updated: 1, unchanged: 1 });
    expect(await stored()).toEqual(['en-it noun A1: HOUSE → casa (a building)', 'en-it noun A2: house → casa']);
    await expectRightCounts();
  });

  const good = 'en,it,noun,A1,house,casa,';
  const BAD_LINES: [string, string][] = [
    ['en,it,noun,A1,dog,,', 'targetText must not be empty'],
    ['en,it,noun,A1, \u00A0,cane,', 'sourceText must not be empty'],
    ['en,en,noun,A1,dog,cane,', 'targetLanguage must differ from sourceLanguage'],
    ['en,pt,noun,A1,dog,cane,', 'targetLanguage must be one of en, it, es, fr, de'],
    ['en,it,noun,A7,dog,cane,', 'difficulty must be one of A1, A2, B1, B2, C1, C2'],
    ['en,it,thing,A1,dog,cane,', 'pos must be one of noun, verb, adjective, adverb'],
    ['en,it,noun,A1,dog,cane,x,y', 'has 8 fields, the first line 7'],
    ['en,it,noun,A1,"dog,cane,', 'has a quote that is not closed, or text after a closing one'],
    [`en,it,noun,A1,${'d'.repeat(201)},cane,`, 'sourceText must be at most 200 characters long'],
    [`en,it,noun,A1,dog,cane,${'g'.repeat(201)}`, 'sourceGloss must be at most 200 characters long'],
    ['en,it,noun,A1,do\u0007g,cane,', 'sourceText must not contain control characters'],
    ['en,it,noun,A1,d\uFFFDg,cane,', 'sourceText is not valid UTF-8'],
  ];

  test('--strict stops at the first bad line, names it with its reason, and imports nothing', async () => {
    const many = Array.from({ length: 6000 }, (_, at) => `en,it,noun,A1,word ${at},parola ${at},`);
    const content = [HEADER, ...many, ...BAD_LINES.map(([line]) => line), good].join('\n');
    const { code, stdout, stderr } = await vocab('import', write('terms.txt', content), '--strict');
    // A slow import also shows its progress.
    expect(stderr.trim().split('\n').slice(-2)).toEqual([
      `line 6002: ${BAD_LINES[0]?.[1]}`,
      'Nothing was imported because of it.',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(await stored()).toEqual([]);
  });

  test('reports each bad line with its reason and imports the others', async () => {
    const content = [HEADER, good, ...BAD_LINES.map(([line]) => line), 'en,it,noun,A1,cat,gatto,'];
    expect(await importText(content.join('\n'))).toMatchObject({
      inserted: 2,
      problems: BAD_LINES.map(([, problem], index) => `line ${index + 3}: ${problem}`),
    });
    expect(await stored()).toEqual(['cat → gatto', 'house → casa'].map(inDeck));
    await expectRightCounts();
  });

  test('shows the first 20 bad lines and counts the others', async () => {
    const content = [HEADER, good, ...Array(12_345).fill('en,it')].join('\n');
    const { code, stderr } = await vocab('import', write('terms.txt', content));
    // A slow import also shows its progress.
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.includes('terms read'));
    expect(lines).toHaveLength(22);
    expect(lines.slice(19)).toEqual([
      expect.stringMatching(/^line 22: /),
      '… and 12,325 more',
      'Left out 12,345 bad lines.',
    ]);
    expect(code).toBe(0);
  });

  test('reports bad JSON Lines with their numbers', async () => {
    const lines = [
      JSON.stringify({ ...DECK, sourceText: 'dog', targetText: 'cane', sourceGloss: null }),
      '{"sourceLanguage":',
      JSON.stringify({ ...DECK, sourceText: 'dog', targetText: 'cane', level: 1 }),
      JSON.stringify({ ...DECK, sourceText: 7, targetText: '\ud800' }),
      '[]',
    ];
    expect(await importText(lines.join('\n'))).toMatchObject({
      problems: [
        'line 2: is not valid JSON',
        'line 3: has an unknown field',
        'line 4: sourceText must be a string; targetText is not valid UTF-8',
        'line 5: must be an object',
      ],
    });
    expect(await stored()).toEqual(['en-it noun A1: dog → cane']);
  });

  test('counts the length of a text in code points, of which 200 are allowed', async () => {
    const texts = ['😀', 'ß', 'ñ'].map((sign) => sign.repeat(200));
    expect(await importText(`${HEADER}\nen,it,noun,A1,${texts}\n`)).toMatchObject({ inserted: 1 });
  });

  test.each([
    ['a file without a header', 'house,casa\n', /^The first line must name the columns.*"house"/],
    ['a header that lacks a column', 'sourceText,targetText\n', /lacks the column sourceLanguage/],
    ['a header with a column twice', `${HEADER},pos\n`, /names a column twice/],
    ['an empty file', '\n \n', /^The file is empty/],
    ['UTF-16', Buffer.from(`\uFEFF${HEADER}\n`, 'utf16le'), /save it as UTF-8/],
    ['a file without line breaks', `${HEADER}\n${'x'.repeat(9_000_000)}`, /a line is longer/],
  ])('refuses %s with its reason', async (_name, content, message) => {
    await expect(importText(content)).rejects.toThrow(message);
  });
});

describe('npm run vocab', () => {
  test.each([
    ['a missing file', () => join(folder, 'nope.csv'), /^There is no file/],
    ['a folder', () => folder, /can't be read: EISDIR/],
    ['a device', () => '/dev/null', /^The file is empty/],
  ])('exits with 1 for %s', async (_name, path, reason) => {
    expect(await vocab('import', path())).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
  });

  test('exits with 1 and its usage for an unknown command or option', async () => {
    for (const args of [['import'], ['load', '--quick']]) {
      const { code, stderr } = await vocab(...args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(stderr).toMatch(/Usage:|Unknown option/);
    }
  });

  test('exits with 1 and the reason for a database that is not named, not reachable or not migrated', async () => {
    const empty = new URL(given.stores.databaseUrl);
    empty.pathname = '/postgres';
    const outcomes = [];
    for (const DATABASE_URL of [undefined, 'postgresql://127.0.0.1:1/x', empty.href]) {
      const { code, stderr } = await runVocab(['load'], { DATABASE_URL, DATA_DIR: folder });
      expect(code).toBe(1);
      outcomes.push(stderr.trim());
    }
    expect(outcomes).toEqual([
      expect.stringMatching(/^Which database\? Set DATABASE_URL/),
      'PostgreSQL could not be reached, or the connection broke: nothing was imported. Run the command again.',
      'The database has no tables yet: run npm run db:deploy first.',
    ]);
  });

  test('uses the stores of a running `npm run dev` when the environment names none', async () => {
    const dataDir = join(folder, 'dev');
    mkdirSync(dataDir);
    const { databaseUrl, redisUrl } = given.stores;
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify({ databaseUrl, redisUrl }));
    const file = write('mine.csv', `${HEADER}\nen,it,noun,A1,house,casa,\n`);
    expect(await runVocab(['import', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' });
    expect(await stored()).toEqual(['en-it noun A1: house → casa']);
  });

  test('imports without Redis and warns that running replicas need up to a minute to see the terms', async () => {
    const file = write('mine.csv', `${HEADER}\nen,it,noun,A1,house,casa,\n`);
    const outcome = await runVocab(['import', file], { ...given.env, REDIS_URL: 'redis://127.0.0.1:1' });
    expect(outcome).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 new/),
      stderr: expect.stringMatching(/within a minute/),
    });
  });
});
