// The parts of the page about word lists that need no browser: from a spreadsheet's cells to the request.
// [contract 14]
import { describe, expect, it } from 'vitest';
import { ListRequest } from '../../src/vocabulary/lists/schema.ts';
import {
  addCells,
  ankiOf,
  csvOf,
  type Draft,
  draftOf,
  draftProblem,
  markRefused,
  newDraft,
  putRow,
  questionsOf,
  removeRow,
  requestOf,
  rowProblem,
} from '../../src/web/lists/draft.ts';
import { decodeText, hasHeading, readTable, type Separators } from '../../src/web/lists/read-table.ts';

const CELLS = [
  ['der Zug', 'juna'],
  ['die Karte', 'lippu', 'die Fahrkarte'],
  ['die Karte', 'kartta', 'die Landkarte'],
  ['der Bahnsteig', 'laituri'],
];

const draft = (cells = CELLS): Draft => ({ ...addCells(newDraft('de', 'fi'), cells), name: ' Station ' });

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

  it('may be encoded in UTF-8, UTF-16 or Windows-1252', () => {
    const utf8 = new TextEncoder().encode('città');
    const windows = Uint8Array.from([0x63, 0x69, 0x74, 0x74, 0xe0]);
    const utf16 = Uint8Array.from([0xff, 0xfe, 0x63, 0, 0x69, 0, 0x74, 0, 0x74, 0, 0xe0, 0]);
    expect([utf8, windows, utf16].map(decodeText)).toEqual(['città', 'città', 'città']);
  });
});

describe('the text of other programs', () => {
  it.each([
    ['Anki’s header', '#separator:Semicolon\n#html:false\na, b;c\n'],
    ['a separator that Anki writes as it is', '#separator:|\r\na, b|c\r\n'],
    ['Anki’s columns of metadata', '#separator:tab\n#guid column:1\n#tags column:4\nxyz\ta, b\tc\tA1\n'],
    ['a dash between words', 'a, b - c', { cells: ' - ', rows: '' }],
    ['Quizlet’s separators', 'a, b\tc;\n', { cells: '\t', rows: ';' }],
    ['blank lines between words', 'a, b\tc\r\n\r\n', { cells: '\t', rows: '\n\n' }],
  ] as [string, string, Separators?][])('is read with %s', (_kind, text, separators) => {
    const { rows, isHtml } = readTable(text, 10, separators);
    expect(rows.map((row) => row.map((cell) => cell.trim()))).toEqual([['a, b', 'c']]);
    expect(isHtml).toBe(false);
  });

  it('is HTML if the header says so, or if it has tags', () => {
    const isHtml = (text: string) => readTable(text, 10).isHtml;
    expect(isHtml('#html:true\na\tb')).toBe(true);
    expect(isHtml('#html:false\n<b>a</b>\tb')).toBe(false);
    const html = ['a<br>b\tc', 'a&nbsp;b\tc', '<div>a</div>\tb'];
    expect(html.map(isHtml)).toEqual([true, true, true]);
    expect(['a < b\tc', 'AT&T\tc', '<3\tlove'].map(isHtml)).toEqual([false, false, false]);
  });

  it('without any usual separator has a dash between words', () => {
    expect(readTable('Hund - dog\nKatze - cat', 10).rows[1]).toEqual(['Katze', 'cat']);
    expect(readTable('# of dogs\tHundezahl', 10).rows).toEqual([['# of dogs', 'Hundezahl']]);
  });

  it('is read again as it was exported', () => {
    const terms = [
      { sourceText: '=die "Bank"', targetText: 'a;-b;＝c, d', sourceGloss: '@home' },
      { sourceText: '#1', targetText: 'x' },
    ];
    const imported = addCells(newDraft('de', 'fi'), readTable(csvOf(terms), 10).rows).rows;
    expect(imported).toMatchObject(terms);
    expect(csvOf(terms).split('\r\n')[0]).toBe(`\uFEFF"'=die ""Bank""","a;'-b;'＝c, d",'@home`);
    expect(readTable(ankiOf(terms), 10).rows).toEqual([
      ['=die "Bank" (@home)', 'a;-b;＝c, d'],
      ['#1', 'x'],
    ]);
  });
});

describe('a draft', () => {
  it('becomes a valid request, normalised as the service does it', () => {
    const request = requestOf(draft());
    expect(ListRequest.parse(request)).toEqual(request);
    expect(request.name).toBe('Station');
    expect(request.terms[1]).toEqual({ sourceText: 'die Karte', targetText: 'lippu', sourceGloss: 'die Fahrkarte' });
    expect(draftProblem(draft())).toBeNull();
  });

  it('equals the stored list when it is opened again', () => {
    const { terms, ...rest } = requestOf(draft());
    const list = { ...rest, shared: true, terms, listId: '', termCount: 4, updatedAt: '' };
    expect(requestOf(draftOf(list))).toEqual({ ...requestOf(draft()), shared: true });
  });

  it('has repeated lines once', () => {
    const twice = addCells(draft(), [...CELLS, ['DER ZUG', ' Juna ']]);
    expect(twice.rows).toHaveLength(4);
    expect(questionsOf(twice)).toBe(4);
    expect(questionsOf(draft([...CELLS, ['der Zug', 'vaunu']]))).toBe(4);
  });

  it('has texts of one line, even if a cell has several', () => {
    const { rows } = readTable('"die Bank \n(Möbel)"\tpenkki\n', 10);
    const [row] = addCells(newDraft('de', 'fi'), rows).rows;
    expect(row).toMatchObject({ sourceText: 'die Bank (Möbel)', targetText: 'penkki' });
  });

  it.each([
    [['der Zug', ''], { field: 'targetText', kind: 'empty' }],
    [['x'.repeat(121), 'juna'], { field: 'sourceText', kind: 'too_long' }],
    [['der Zug', 'ju\u0000na'], { field: 'targetText', kind: 'control_character' }],
    [['der Zug', 'ju\uD800na'], { field: 'targetText', kind: 'ill_formed' }],
    [['der Zug', 'juna', 'y'.repeat(201)], { field: 'sourceGloss', kind: 'too_long' }],
    [['der Zug', 'juna', '', '', 'more'], { kind: 'too_many_cells' }],
    [['der {{c1::Zug}}', 'juna'], { kind: 'cloze' }],
  ])('says what is wrong with a line, as the service would', (cells, problem) => {
    const { rows } = addCells(newDraft('de', 'fi'), [cells]);
    expect(rows.map(rowProblem)).toEqual([problem]);
    if ('field' in problem)
      expect(ListRequest.safeParse({ ...requestOf(draft([...CELLS, cells])) }).success).toBe(false);
  });

  it('accepts texts of the same length as the service, in code points', () => {
    const cells = ['😀'.repeat(120), 'juna', '😀'.repeat(200)];
    expect(addCells(newDraft('de', 'fi'), [cells]).rows.map(rowProblem)).toEqual([null]);
    expect(ListRequest.safeParse(requestOf(draft([...CELLS, cells]))).success).toBe(true);
  });

  it('marks the lines that the service has refused until they are changed', () => {
    const errors = [
      { path: 'terms.1.targetText', message: 'must not be that' },
      { path: 'name', message: 'must not be empty' },
    ];
    const marked = markRefused(draft(), errors);
    const problems = marked.rows.map(rowProblem);
    expect(problems).toEqual([null, { kind: 'refused' }, null, null]);
    expect(draftProblem(marked)).toBe('bad_rows');
    const mended = putRow(marked, { ...(marked.rows[1] as Draft['rows'][0]), targetText: ' liput ' });
    expect(mended.rows[1]).toEqual({
      id: 2,
      sourceText: 'die Karte',
      targetText: 'liput',
      sourceGloss: 'die Fahrkarte',
    });
    expect(draftProblem(mended)).toBeNull();
  });

  it('can add and remove a line', () => {
    const row = { id: draft().nextId, sourceText: 'das Gleis', targetText: 'raide', sourceGloss: '' };
    const longer = putRow(draft(), row);
    expect(longer.rows.at(-1)).toEqual(row);
    expect(longer.nextId).toBe(row.id + 1);
    expect(removeRow(longer, row.id).rows).toEqual(draft().rows);
  });

  it('says why it can’t be saved', () => {
    expect(draftProblem({ ...draft(), name: '  ' })).toBe('no_name');
    expect(draftProblem({ ...draft(), targetLanguage: 'de' })).toBe('same_languages');
    expect(draftProblem(draft([]))).toBe('too_few');
    expect(draftProblem(draft(CELLS.slice(0, 1)))).toBeNull();
    const many = Array.from({ length: 2001 }, (_, at) => [`w${at}`, `p${at}`]);
    expect(draftProblem(draft(many))).toBe('too_many');
  });
});

describe('the heading of a spreadsheet', () => {
  const WORD = ['der Zug', 'juna'];

  it.each([
    [['Deutsch', 'Englisch'], true],
    [['German', 'Finnish', 'Note'], true],
    [['saksa', 'suomi'], true],
    [[' Word ', 'TRANSLATION'], true],
    [['Vokabel', 'Übersetzung'], true],
    [['English', 'Meaning'], true],
    [['der Zug', 'juna'], false],
    // Words like any other, in a list about languages or about school.
    [['German', 'Deutsch'], false],
    [['word', 'Wort'], false],
    [['word', ''], false],
    [['word'], false],
  ])('%o is one: %s', (first, is) => {
    expect(hasHeading([first, WORD], ['de', 'fi'])).toBe(is);
  });

  it('is none where the next row names languages, too, or there is none', () => {
    const languages = [
      ['English', 'Finnish'],
      ['German', 'Swedish'],
    ];
    expect(hasHeading(languages, ['en', 'fi'])).toBe(false);
    expect(hasHeading([['Word', 'Translation']], ['en', 'fi'])).toBe(false);
  });
});
