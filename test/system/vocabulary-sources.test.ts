// Dictionaries are imported as sources of terms, and a source can be listed, exported and removed. [contract 9, 13]
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importTerms } from '../../src/tools/import/import-terms.ts';
import { useVocab } from '../support/vocab-setup.ts';

const given = useVocab();
const { write, vocab, importText, stored } = given;

const TEI = `<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title>English-Italian Sample Dictionary</title></titleStmt>
<publicationStmt><availability status="free"><p>Available under the terms of the
 GNU General Public License ver. 2.0 and any later version.</p></availability></publicationStmt>
</fileDesc></teiHeader><text><body>
<entry><form><orth>house</orth><pron>haʊs</pron></form><gramGrp><pos>n</pos></gramGrp>
 <sense n="1"><cit type="trans"><quote>casa</quote></cit><cit type="trans"><quote>dimora &amp; tetto</quote></cit>
  <cit type="example"><quote>at our house</quote><cit type="trans"><quote>da noi</quote></cit></cit></sense></entry>
<entry><form><orth>to eat</orth></form><gramGrp><pos>v</pos></gramGrp><sense><cit type="trans"><quote>mangiare (qc.)</quote></cit></sense></entry>
<entry><form><orth>cane</orth></form><sense><cit type="trans"><quote>bastone</quote><gramGrp><gen>masc</gen></gramGrp></cit>
 <cit type="trans"><quote>battere</quote><gramGrp><pos>v</pos></gramGrp></cit></sense>
 <sense><cit type="trans"><quote>canna</quote></cit><gramGrp><pos>n</pos><gen>f</gen></gramGrp></sense></entry>
<entry><form><orth>of</orth></form><gramGrp><pos>prep</pos></gramGrp><sense><cit type="trans"><quote>di</quote></cit></sense></entry>
<entry><form><orth>dog</orth></form><sense><cit type="trans"><quote>cane</quote></cit></sense></entry>
</body></text></TEI>`;

describe('[contract 9] a dictionary', () => {
  test('is imported from FreeDict’s TEI with its source and licence', async () => {
    const file = write('sample.tei', TEI);
    const { code, stdout, stderr } = await vocab('import', file, '--difficulty', 'B1');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Passed over 1: another part of speech.\nPassed over 1: no part of speech (--pos).\n',
    });
    expect(stdout).toMatch(/^6 new/);
    expect(await stored()).toEqual([
      'en-it noun B1: cane → bastone',
      'en-it noun B1: cane → canna',
      'en-it noun B1: house → casa',
      'en-it noun B1: house → dimora & tetto',
      'en-it verb B1: cane → battere',
      'en-it verb B1: to eat → mangiare',
    ]);
    expect((await vocab('list')).stdout).toBe(
      'English-Italian Sample Dictionary (GPL-2.0-or-later): 6 terms in 2 decks\n',
    );
    const again = await vocab('import', file, '--difficulty', 'B1', '--pos', 'noun');
    expect(again.stdout).toMatch(/^1 new, 0 updated, 6 unchanged/);
  });

  test('is imported from XML with a malformed entity, which is reported', async () => {
    const broken = TEI.replace('<entry><form><orth>of', '<entry>&nonsense;<form><orth>of');
    const deck = { sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'B1' } as const;
    const { problems } = await importText(gzipSync(broken), deck);
    expect(problems).toEqual(['line 14: is not well-formed XML: Invalid character entity']);
    expect(await stored()).toHaveLength(6);
  });

  test('is imported from Wiktextract’s JSON Lines, in all directions or the requested one', async () => {
    const entry = (word: string, pos: string, lang_code: string, translations: object[]) =>
      JSON.stringify({ word, pos, lang_code, senses: [{ glosses: ['a gloss'] }], translations });
    const lines = [
      '{"redirect": "House", "title": "house"}',
      entry('house', 'noun', 'en', [
        { code: 'it', word: 'casa', sense: 'a building to live in' },
        { code: 'fr', word: 'maison' },
        { code: 'fi', word: 'talo' },
        { code: 'it' },
        { code: null, word: 'hus', sense: null },
        { code: null, lang_code: 'es', word: 'casa' },
      ]),
      entry('of', 'prep', 'en', [{ code: 'it', word: 'di' }]),
      entry('talo', 'noun', 'fi', [{ code: 'it', word: 'casa' }]),
      JSON.stringify({
        word: 'quick',
        pos: 'adj',
        lang_code: 'en',
        senses: [{ glosses: ['fast'], translations: [{ lang_code: 'it', word: 'veloce' }] }],
      }),
      JSON.stringify({ word: 'casa', pos: 'noun', lang_code: 'it', senses: [] }),
    ];
    await importText(lines.join('\n'), { sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'B2' });
    const fromEnglish = [
      'en-it adjective B2: quick → veloce (fast)',
      'en-it noun B2: house → casa (a building to live in)',
    ];
    expect(await stored()).toEqual(fromEnglish);
    const { skipped } = await importText(lines.join('\n'), { difficulty: 'B2' });
    expect(skipped).toMatchObject({ 'no translation': 1 });
    expect(await stored()).toEqual(
      ['en-es noun B2: house → casa', 'en-fr noun B2: house → maison', ...fromEnglish].sort(),
    );
  });

  test('is refused without --difficulty, since dictionaries have no levels', async () => {
    const { code, stderr } = await vocab('import', write('sample.tei', TEI));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/--difficulty/) });
  });
});

describe('[contract 9] an import', () => {
  test('takes fields that the file lacks from the command line', async () => {
    const file = write('two.csv', 'sourceText,targetText,difficulty\nhouse,casa,\ndog,cane,A2\n');
    const options = ['--deck', 'en-it-noun-A1', '--source', 'page 7', '--licence', 'mine'];
    expect(await vocab('import', file, ...options)).toMatchObject({ code: 0 });
    expect(await stored()).toEqual(['en-it noun A1: house → casa', 'en-it noun A2: dog → cane']);
    expect((await vocab('list')).stdout).toBe('page 7 (mine): 2 terms in 2 decks\n');
    expect(await vocab('import', file, '--deck', 'en-en')).toMatchObject({ code: 1 });
    expect(await vocab('import', file, '--pos', 'pronoun')).toMatchObject({ code: 1 });
  });

  test('with --dry-run reports what it would import, and stores nothing', async () => {
    const file = write('sample.tei', TEI);
    const outcome = await vocab('import', file, '--difficulty', 'B1', '--dry-run');
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toMatch(/^6 new, 0 updated, 0 unchanged terms in [\d.]+ s\. Nothing was written\.\n$/);
    expect(await stored()).toEqual([]);
  });

  test('that was interrupted has stored nothing, and can be repeated', async () => {
    const options = { databaseUrl: given.stores.databaseUrl, source: { name: 'long', licence: 'none' } };
    const deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };
    async function* lines(breakAt = Number.POSITIVE_INFINITY) {
      for (let line = 1; line <= 5000; line++) {
        if (line === breakAt) throw new Error('interrupted');
        yield { line, fields: { ...deck, sourceText: `word ${line}`, targetText: `parola ${line}` } };
      }
    }
    await expect(importTerms(lines(4500), options)).rejects.toThrow('interrupted');
    expect(await stored()).toEqual([]);
    expect(await importTerms(lines(), options)).toMatchObject({ inserted: 5000, unchanged: 0 });
    const { rows } = await given.database.query('SELECT term_count FROM deck');
    expect(rows).toEqual([{ term_count: 5000 }]);
    expect(await importTerms(lines(), options)).toMatchObject({ inserted: 0, unchanged: 5000 });
  });
});

describe('a source', () => {
  test('is removed with its terms and no others', async () => {
    const first = write('first.csv', 'sourceText,targetText\nhouse,casa\n');
    const second = write('second.csv', 'sourceText,targetText\nhouse,casa\ndog,cane\n');
    for (const file of [first, second]) await vocab('import', file, '--deck', 'en-it-noun-A1');
    await vocab('import', second, '--deck', 'en-it-noun-A2');
    expect((await vocab('list')).stdout).toBe(
      'second.csv (unknown): 3 terms in 2 decks\nfirst.csv (unknown): 1 terms in 1 decks\n',
    );
    const removed = await vocab('remove', '--source', 'second.csv');
    expect(removed).toMatchObject({ code: 0, stdout: '3 terms removed.\n', stderr: '' });
    expect(await stored()).toEqual(['en-it noun A1: house → casa']);
    const { rows } = await given.database.query('SELECT difficulty, term_count, sources FROM deck ORDER BY difficulty');
    expect(rows).toEqual([
      { difficulty: 'A1', term_count: 1, sources: [{ name: 'first.csv', licence: 'unknown', terms: 1 }] },
      { difficulty: 'A2', term_count: 0, sources: [] },
    ]);
    expect(await vocab('remove', '--source', 'second.csv')).toMatchObject({ code: 1 });
    expect(await vocab('remove')).toMatchObject({ code: 1 });
  });

  test('is exported as CSV that can be imported again', async () => {
    const header = 'sourceLanguage,targetLanguage,pos,difficulty,sourceText,targetText,sourceGloss,field';
    const rows = ['en,it,noun,A1,"a ""b"", c",casa,,', 'en,it,noun,A1,dog,cane,an animal,nature'];
    await vocab('import', write('own.csv', [header, ...rows].join('\n')));
    await vocab('import', write('other.csv', `${header}\nen,fr,noun,A1,dog,chien,,\n`));
    const { code, stdout } = await vocab('export', '--source', 'own.csv');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${[header, ...rows].join('\n')}\n` });
    const french = await vocab('export', '--deck', 'en-fr');
    expect(french.stdout).toBe(`${header}\nen,fr,noun,A1,dog,chien,,\n`);
    const again = await vocab('import', write('again.csv', stdout));
    expect(again.stdout).toMatch(/^0 new, 0 updated, 2 unchanged/);
  });
});
