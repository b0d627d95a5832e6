import { describe, expect, it } from 'vitest';
import { ListRequest } from '../../src/vocabulary/lists/schema.ts';
import { toCsv } from '../../src/web/csv.ts';
import {
  acceptedOf,
  addCells,
  ankiOf,
  cellsOf,
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
import { plainLinesOf, readTable, type Separators, textOfCell } from '../../src/web/lists/read-table.ts';

const CELLS = [
  ['der Zug', 'juna'],
  ['die Karte', 'lippu', 'die Fahrkarte'],
  ['die Karte', 'kartta', 'die Landkarte'],
  ['der Bahnsteig', 'laituri'],
];

const draft = (cells = CELLS): Draft => ({ ...addCells(newDraft('de', 'fi'), cells), name: ' Station ' });

describe('the text of other programs', () => {
  it.each([
    ['Anki’s header', '#separator:Semicolon\n#html:false\na, b;c\n'],
    ['a separator that Anki writes as it is', '#separator:|\r\na, b|c\r\n'],
    ['Anki’s columns of metadata', '#separator:tab\n#guid column:1\n#tags column:4\nxyz\ta, b\tc\tA1\n'],
    ['a header that a spreadsheet has saved', '#separator:tab;;\n#tags column:3;;\na, b;c;A1\nd;e;A1\n'],
    ['comments before the header and behind', '# notes of mine\n#separator:tab\n# more\na, b\tc\n#1\n'],
    ['a dash between words', 'a, b - c', { cells: ' - ', rows: '' }],
    ['Quizlet’s separators', 'a, b\tc;\n', { cells: '\t', rows: ';' }],
    ['blank lines between words', 'a, b\tc\r\n\r\n', { cells: '\t', rows: '\n\n' }],
  ] as [string, string, Separators?][])('is read with %s', (_kind, text, separators) => {
    const { rows, isHtml } = readTable(text, 10, separators);
    expect(rows[0]?.map((cell) => cell.trim())).toEqual(['a, b', 'c']);
    expect(rows.flat()).not.toContain('#1');
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

  it('without Anki’s header may begin with a number sign', () => {
    expect(readTable('# of dogs\tHundezahl', 10).rows).toEqual([['# of dogs', 'Hundezahl']]);
  });

  it.each([
    ['rennen<br>laufen', 'rennen; laufen'],
    ['Auto<div>Wagen</div>', 'Auto; Wagen'],
    ['<ul><li>eins,</li><li>zwei</li></ul>', 'eins; zwei'],
    ['a\n b[sound:a.mp3]', 'a b'],
    ['<ruby>食<rp>(</rp><rt>た</rt><rp>)</rp></ruby>べ<ruby>物<rt>もの</ruby>', '食[た]べ 物[もの]'],
  ])('has HTML: %s is %s', (html, text) => {
    const lines = plainLinesOf(html).replace(/<[^>]*>/g, '');
    expect(textOfCell(lines)).toBe(text);
  });

  it('is read again as it was exported', async () => {
    const terms = [
      { sourceText: '=die "Bank"', targetText: 'a;-b;＝c, d', sourceGloss: '@home' },
      { sourceText: '#1', targetText: 'x' },
    ];
    for (const locale of ['en', 'de']) {
      const csv = await toCsv(cellsOf(terms), locale).text();
      expect(addCells(newDraft('de', 'fi'), readTable(csv, 10).rows).rows).toMatchObject(terms);
    }
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

  it.each([
    [['食[た]べる', 'to eat'], '食べる', 'to eat', 'たべる'],
    [['日本[にほん]の 山[やま]だ', 'a hill'], '日本の山だ', 'a hill', 'にほんのやまだ'],
    [['食べ物[たべもの]', 'food', 'たべもの'], '食べ物', 'food', 'たべもの'],
    [['dog', '犬[いぬ]', 'pet'], 'dog', '犬; いぬ', 'pet'],
    [['to run', 'rennen\n laufen;\vjagen'], 'to run', 'rennen; laufen; jagen', ''],
    [['\u200Bdog\uFEFF', 'Vo\u00ADgel\u00A0 auf'], 'dog', 'Vogel auf', ''],
    // The joiners of other scripts and of emoji stay.
    [['می\u200Cخواهم', '👩\u200D🏫'], 'می\u200Cخواهم', '👩\u200D🏫', ''],
  ])('tidies the cells %o', (cells, sourceText, targetText, sourceGloss) => {
    expect(addCells(newDraft('ja', 'en'), [cells]).rows).toMatchObject([{ sourceText, targetText, sourceGloss }]);
  });

  it.each([
    ['en', ['big, large'], 'big · large'],
    ['en', ['big', 'large'], 'big · large'],
    ['en', ['colo(u)r'], 'color · colour'],
    ['de', ['Lehrer/in; die Lehrkraft'], 'Lehrer · Lehrerin · die Lehrkraft'],
    ['en', ['24/7, always'], '24/7 · always'],
    ['de', ['die Katze, -n'], 'die Katze'],
    ['de', ['die Tür', 'Tür'], 'Tür'],
  ])('shows what is accepted in %s for %o', (language, translations, accepted) => {
    expect(acceptedOf(translations, language).join(' · ')).toBe(accepted);
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
    expect(marked.rows.map(rowProblem)).toEqual([null, { kind: 'refused' }, null, null]);
    expect(draftProblem(marked)).toBe('bad_rows');
    const mended = putRow(marked, { ...(marked.rows[1] as Draft['rows'][0]), targetText: ' liput ' });
    expect(mended.rows[1]).toEqual({ ...draft().rows[1], targetText: 'liput' });
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
    expect(draftProblem({ ...draft(), pasted: 'der Zug' })).toBe('not_added');
    expect(draftProblem(draft([]))).toBe('too_few');
    expect(draftProblem(draft(CELLS.slice(0, 1)))).toBeNull();
    const many = Array.from({ length: 2001 }, (_, at) => [`w${at}`, `p${at}`]);
    expect(draftProblem(draft(many))).toBe('too_many');
  });
});
