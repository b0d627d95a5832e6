// The reader of lists: from the bytes of a file or pasted text to the cells of a table, and what its columns are.
// [contract 14]
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { guessColumns } from '../../src/web/lists/columns.ts';
import { decode, guessEncoding, kindOf, unicodeOf } from '../../src/web/lists/encodings.ts';
import { readTable } from '../../src/web/lists/read-table.ts';
import { readWorkbook } from '../../src/web/lists/read-workbook.ts';
import { workbookOf } from './workbook.ts';

describe('a spreadsheet', () => {
  it.each([
    ['tabs', 'der Zug\tjuna\ndie Karte\tlippu\tdie Fahrkarte\n'],
    ['semicolons', 'der Zug;juna\r\ndie Karte;lippu;die Fahrkarte\r\n'],
    ['commas', 'der Zug,juna\ndie Karte,lippu,die Fahrkarte'],
    ['quotes', '"der Zug","juna"\n\n"die Karte","lippu","die Fahrkarte"'],
    ['a mark of its bytes’ order', '\uFEFFder Zug;juna\ndie Karte;lippu;die Fahrkarte'],
  ])('is read with %s', (_kind, text) => {
    expect(readTable(text, 10)).toMatchObject({
      rows: [
        ['der Zug', 'juna'],
        ['die Karte', 'lippu', 'die Fahrkarte'],
      ],
      isCut: false,
    });
  });

  it('may have quoted delimiters and quotes, and an unclosed quote', () => {
    const quoted = '"to go, on foot",andare\n"""so""",così\n';
    expect(readTable(quoted, 10).rows).toEqual([
      ['to go, on foot', 'andare'],
      ['"so"', 'così'],
    ]);
    expect(readTable('"open\tone\nnext\ttwo', 10).rows).toEqual([
      ['"open', 'one'],
      ['next', 'two'],
    ]);
  });

  it('is read only up to the maximal length of a list', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `word ${at}\tparola ${at}`).join('\n');
    const { rows, isCut } = readTable(text, 2000);
    expect([rows.length, isCut]).toEqual([2000, true]);
    expect(readTable(text, 0)).toMatchObject({ rows: [], isCut: true });
  });

  // The rows are joined by bars.
  it.each([
    ['a comma in a translation', 'to run,rennen, laufen\ndog,Hund\ncat,Katze', ['to run|rennen, laufen', 'dog|Hund']],
    ['dashes, and a comma', 'dog - Hund\nto run - rennen, laufen\ncat - Katze', ['dog|Hund', 'to run|rennen, laufen']],
    ['an em dash', 'dog — Hund\nre-run — Wiederholung - neu', ['dog|Hund', 're-run|Wiederholung - neu']],
    ['colons', 'dog: Hund\ncat: Katze', ['dog|Hund']],
    ['a drawn table', '| dog | Hund |\n|-----|:----|\n| cat | Katze |', ['|dog|Hund|', '|cat|Katze|']],
    ['a line without translation', 'to run\trennen\nlaufen\ndog\tHund', ['to run|rennen', 'laufen', 'dog|Hund']],
    ['empty rows and columns', 'dog;Hund;;\r\n;;;\r\n\r\ncat;Katze;;\r\n;;;\r\n', ['dog|Hund', 'cat|Katze']],
    ['semicolons between cards', 'run\trennen\nlaufen;dog\tHund;cat\tKatze;', ['run|rennen laufen', 'dog|Hund']],
    ['semicolons behind each line', 'dog,Hund;\ncat,Katze;\n', ['dog|Hund', 'cat|Katze']],
    ['two semicolons in one line', 'Hund, Köter;dog, hound', ['Hund, Köter|dog, hound']],
    ['Excel’s separator', 'sep=;\r\ndog;Hund, Köter\r\ncat;Katze, Kater', ['dog|Hund, Köter']],
    ['separators within quotation marks', '"to go; to walk",gehen\n"to run; to jog",rennen', ['to go; to walk|gehen']],
    ['a line break in a cell', '"to run";"rennen\r\nlaufen"\r\ndog;Hund', ['to run|rennen laufen', 'dog|Hund']],
  ])('is read with %s', (_kind, text, rows) => {
    const read = readTable(text, 10).rows.map((row) => row.map((cell) => cell.trim().replaceAll('\n', ' ')).join('|'));
    const end = rows[0]?.endsWith('|') ? '|' : '';
    expect(read.map((row) => row.replace(/\|+$/, end)).slice(0, rows.length)).toEqual(rows);
  });
});

describe('a text file', () => {
  const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

  it('is read in UTF-8 and in both kinds of UTF-16, with and without their mark', () => {
    const text = 'дом\tcittà\n';
    const wide = [text, `\uFEFF${text}`].map((one) => Buffer.from(one, 'utf16le'));
    const files = [strToU8(text), ...wide, ...wide.map((bytes) => Buffer.from(bytes).swap16())];
    expect(files.map((file) => kindOf(file))).toEqual(files.map(() => 'text'));
    expect(files.map((file) => unicodeOf(file))).toEqual(files.map(() => text));
    // The last character of a long file is cut.
    expect(unicodeOf(strToU8('città').slice(0, -1))).toBe('citt');
  });

  it.each([
    ['Windows-1250', 'de', 'pl', '\xBF\xF3\xB3w', 'żółw'],
    ['Windows-1252', 'de', 'en', 'T\xFCr \x96 it\x92s', 'Tür – it’s'],
    ['Windows-1253', 'el', 'en', '\xEB\xDD\xEE\xE7', 'λέξη'],
    ['Shift_JIS', 'ja', 'fr', '\x8C\xA2', '犬'],
    ['Macintosh', 'fr', 'en', 'l\xD5\x8Ecole, le p\x8Fre', 'l’école, le père'],
    ['Macintosh', 'en', 'de', 'T\x9Fr;door\rSchule;school\r', 'Tür;door\rSchule;school\r'],
  ])('in %s is guessed by the languages %s and %s', (encoding, from, to, bytes, text) => {
    expect(unicodeOf(bytesOf(bytes))).toBeNull();
    const guess = guessEncoding(bytesOf(bytes), [from, to]);
    expect([guess, decode(bytesOf(bytes), guess)]).toEqual([encoding, text]);
  });

  it.each([
    ['PK\x03\x04…', 'zip'],
    ['\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', 'spreadsheet'],
    ['%PDF-1.7', 'document'],
    ['\x89PNG\r\n', 'picture'],
    ['\0\0\0\x20ftypheic', 'picture'],
    ['SQLite format 3\0\x10\0\x01\x01\0@  \0\0', 'unknown'],
    ['dog;Hund', 'text'],
  ])('is told from others by its first bytes: %o is %s', (bytes, kind) => {
    expect(kindOf(bytesOf(bytes))).toBe(kind);
  });
});

describe('a workbook', () => {
  it('has all its sheets and the lines of its cells, whatever its size, and no readings in its words', async () => {
    const animals = [
      ['dog', 'Hund\nKöter'],
      ['犬', '3'],
    ];
    const many = Array.from({ length: 9000 }, (_, at) => [`word ${at}`, `Wort ${at} ${'x'.repeat(40)}`]);
    expect(await readWorkbook(workbookOf({ Animals: animals, Empty: [], Many: many }))).toEqual([
      { name: 'Animals', rows: animals },
      { name: 'Many', rows: many },
    ]);
  });

  /** @returns a packed file of these texts by their paths */
  const zipOf = (files: Record<string, string>) =>
    zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])), { level: 0 });
  const openDocument = (kind: string) =>
    zipOf({ mimetype: `application/vnd.oasis.opendocument.${kind}`, 'content.xml': '<x/>' });

  it.each([
    ['damaged', workbookOf({ Animals: [['dog', 'Hund']] }).slice(0, -30)],
    ['damaged', zipOf({ 'xl/workbook.xml': '<workbook' })],
    ['spreadsheet', openDocument('spreadsheet')],
    ['document', openDocument('text')],
    ['document', zipOf({ 'word/document.xml': '<x/>' })],
    ['anki', zipOf({ 'collection.anki21': 'SQLite', media: '{}' })],
    ['unknown', zipOf({ 'holiday.jpg': '…' })],
  ])('is none: %s', async (problem, bytes) => {
    expect(await readWorkbook(bytes as Uint8Array<ArrayBuffer>)).toBe(problem);
  });
});

describe('the columns of a table', () => {
  const WORD = ['der Zug', 'juna', 'a', 'b'];

  // The first row is a heading where the guess has a name for each column.
  it.each([
    ['German;Finnish;Note', 'de', 'fi', 'word,translation,note'],
    ['saksa;suomi', 'de', 'fi', 'word,translation'],
    ['FI;DE-at', 'de', 'fi', 'translation,word'],
    ['Word;TRANSLATION', 'de', 'fi', 'word,translation'],
    ['Słówko;Tłumaczenie', 'de', 'fi', 'word,translation'],
    ['English word;German word', 'en', 'de', 'word,translation'],
    ['mot en anglais;traduction (allemande)', 'en', 'de', 'word,translation'],
    ['Nr.;Englisch;Deutsch', 'de', 'en', 'none,translation,word'],
    ['Kanji;Reading;Meaning', 'ja', 'en', 'word,note,translation'],
    ['Front;Back;Tags;Example', 'de', 'fi', 'word,translation,none,none'],
    // Words like any other, in a list about languages or about school.
    ['German;Deutsch', 'de', 'fi', null],
    ['word;Wort', 'de', 'fi', null],
    ['it;es', 'en', 'de', null],
    ['word', 'de', 'fi', null],
  ])('with %s from %s to %s are %s', (first, from, to, columns) => {
    const cells = first.split(';');
    const guess = guessColumns([cells, WORD.slice(0, cells.length), ['x', 'y']], [from, to]);
    expect(guess.heading).toEqual(columns && cells);
    if (columns) expect(namesOf(guess.columns)).toBe(columns);
  });

  it.each([
    ['der Zug;train;noun;A1', 'de', 'en', 'word,translation,none,none'],
    ['1.;der Zug;train', 'de', 'en', 'none,word,translation'],
    ['犬;いぬ;dog', 'ja', 'en', 'word,note,translation'],
  ])('without a heading, such as %s from %s to %s, are %s', (line, from, to, columns) => {
    const guess = guessColumns([line.split(';'), line.split(';')], [from, to]);
    expect([guess.heading, namesOf(guess.columns)]).toEqual([null, columns]);
  });

  it('have no heading where the next row names languages, too, or there is none, and no column of one row’s own', () => {
    const languages = ['English;Finnish', 'German;Swedish'].map((line) => line.split(';'));
    expect(guessColumns(languages, ['en', 'fi']).heading).toBeNull();
    expect(guessColumns([['Word', 'Translation']], ['en', 'fi']).heading).toBeNull();
    const ragged = ['der Zug;juna', 'die Karte;lippu;die Fahrkarte', 'Züge;junat;viele;mehr'];
    const rows = ragged.map((line) => line.split(';'));
    expect(guessColumns(rows, ['de', 'fi']).columns).toHaveLength(3);
  });
});

const NAMES = { sourceText: 'word', targetText: 'translation', sourceGloss: 'note', none: 'none' };

function namesOf(columns: readonly (keyof typeof NAMES)[]): string {
  return columns.map((column) => NAMES[column]).join();
}
