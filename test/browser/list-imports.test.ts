// Tests that words come into a list from whatever they lie in: chosen, dropped and pasted. [contract 14]
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { showPasted } from '../support/tour.ts';
import type { Visitor } from '../support/visitor.ts';
import { workbookOf } from '../support/workbook.ts';

const { newVisitor } = useBrowser();

/** @returns the bytes of characters up to U+00FF, for files in other encodings */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function chooseFile(bytes: Uint8Array | string) {
  const buffer = Buffer.from(bytes as string);
  return ({ page }: Visitor) => page.locator('[type=file]').setInputFiles({ name: 'words', mimeType: '', buffer });
}

/** Drops a file somewhere on the page. */
async function dropFile({ page }: Visitor, bytes: Uint8Array | string): Promise<void> {
  await page.locator('textarea').waitFor();
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(${JSON.stringify([...Buffer.from(bytes as string)])})], 'words'));
    for (const type of ['dragover', 'drop'])
      document.querySelector('h1').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);
}

interface ImportCase {
  kind: string;
  from: string;
  to: string;
  /** Text is in UTF-8, and is pasted as well. */
  bytes: Uint8Array | string;
  /** The texts of each row, joined by bars. */
  rows: string[];
  /** Changes the preview. */
  prepare?(visitor: Visitor): Promise<unknown>;
}

const IMPORTS: ImportCase[] = [
  {
    kind: 'a translation with commas',
    from: 'en',
    to: 'de',
    bytes: 'to swim,schwimmen\nto paint,malen, streichen\nowl,Eule',
    rows: ['to swim|schwimmen', 'to paint|malen, streichen|Accepted when typed: malen · streichen', 'owl|Eule'],
  },
  {
    kind: 'cards of Anki with HTML and ruby',
    from: 'ja',
    to: 'en',
    bytes:
      '# mine\n#separator:tab\n#html:true\n#deck column:1\nN5\t<ruby>飲<rp>(</rp><rt>の</rt><rp>)</rp></ruby>む\tto drink<br>to sip\nN5\t<b>川</b>\tcaf&eacute;\n',
    rows: ['飲む|のむ|to drink; to sip|Accepted when typed: to drink · to sip', '川|café'],
  },
  {
    kind: 'cards of Anki that a spreadsheet has saved',
    from: 'de',
    to: 'en',
    bytes: '#separator:tab;;\r\n#html:false;;\r\n#tags column:3;;\r\ndie Eule;owl;B1\r\n;;\r\nder Fluss;river;B1\r\n',
    rows: ['die Eule|owl', 'der Fluss|river'],
  },
  {
    kind: 'cards of Quizlet in one line',
    from: 'en',
    to: 'de',
    bytes: 'owl\tEule;river\tFluss;oak\tEiche',
    rows: ['owl|Eule', 'river|Fluss', 'oak|Eiche'],
  },
  {
    kind: 'a numbered table with a heading and cells of several lines',
    from: 'de',
    to: 'en',
    bytes: 'sep=;\r\nNr.;Englisch;Deutsch\r\n1;"owl\r\nnight owl";die Eule\r\n2;ri\u00ADver\u200B;der\u00A0Fluss\r\n',
    rows: ['die Eule|owl; night owl|Accepted when typed: owl · night owl', 'der Fluss|river'],
  },
  {
    kind: 'columns that are chosen',
    from: 'en',
    to: 'de',
    bytes: 'owl,noun,Eule,in the wood\nriver,noun,Fluss,long',
    prepare: async ({ page }) => {
      await page.getByLabel('Column 3').selectOption('Translation');
      await page.getByLabel('Column 4').selectOption('Note');
      await page.getByLabel('Name of the list').fill('Chosen');
    },
    rows: ['owl|in the wood|Eule', 'river|long|Fluss'],
  },
  {
    kind: 'a file in Windows-1251',
    from: 'en',
    to: 'uk',
    bytes: bytesOf('owl;\xF1\xEE\xE2\xE0\r\nriver;\xF0\xB3\xF7\xEA\xE0\r\n'),
    rows: ['owl|сова', 'river|річка'],
  },
  {
    kind: 'a file whose encoding is chosen',
    from: 'en',
    to: 'de',
    bytes: bytesOf('owl;\xF1\xEE\xE2\xE0\r\nriver;\xF0\xB3\xF7\xEA\xE0\r\n'),
    prepare: ({ page }) => page.getByLabel('Characters').selectOption('Windows-1251'),
    rows: ['owl|сова', 'river|річка'],
  },
  {
    kind: 'a file of a Mac',
    from: 'de',
    to: 'en',
    bytes: bytesOf('die T\x9Fr;door\rdas \x85l;oil\r'),
    rows: ['die Tür|door', 'das Öl|oil'],
  },
  {
    kind: 'a file in UTF-16',
    from: 'de',
    to: 'en',
    bytes: bytesOf(
      [...'\uFEFFEule\towl\r\nFlüsse\trivers']
        .flatMap((one) => [one.charCodeAt(0) >> 8, one.charCodeAt(0) & 255])
        .map((byte) => String.fromCharCode(byte))
        .join(''),
    ),
    rows: ['Eule|owl', 'Flüsse|rivers'],
  },
  {
    kind: 'a sheet of a workbook',
    from: 'en',
    to: 'de',
    bytes: workbookOf({
      Animals: [
        ['English', 'German'],
        ['owl', 'Eule'],
        ['', ''],
        ['wolf', 'Wolf'],
      ],
      // Unpacked, it has more than half a megabyte.
      Trees: Array.from({ length: 2000 }, (_, at) => [`oak ${at}`, `Eiche ${at}`, `${'tall '.repeat(39)}tree`]),
      Rivers: [['Thames', 'Themse']],
    }),
    prepare: async ({ page }) => {
      await page.getByText('2 words found.').waitFor();
      await page.getByLabel('Sheet', { exact: true }).selectOption('Trees');
      await page.getByText('2000 words found.').waitFor();
      await page.getByLabel('Sheet', { exact: true }).selectOption('Animals');
    },
    rows: ['owl|Eule', 'wolf|Wolf'],
  },
];

it('keeps what was pasted until it is added: after a reload, a damaged file and an attempt to save', async () => {
  const visitor = await newVisitor('Ada');
  const { page } = visitor;
  await visitor.goto('/lists/new');
  await page.getByLabel('Name of the list').fill('Kept');
  await showPasted(visitor, 'dog\tHund');
  await showPasted(visitor, 'wolf\ncat\tKatze');
  await page.getByText('3 words found. 1 line needs a look.').waitFor();
  await page.reload();
  await page.getByText('3 words found.').waitFor();
  await dropFile(visitor, workbookOf({ Animals: [['dog', 'Hund']] }).slice(0, -30));
  await page.getByText('This file is damaged.').waitFor();
  await visitor.press('Save the list');
  await page.getByText('not in the list yet').waitFor();
  expect(await page.locator('textarea').inputValue()).toBe('dog\tHund\nwolf\ncat\tKatze');
  await visitor.press('Add these words');
  await page.getByText('Line 2: Translation is missing').waitFor();
  expect(await page.locator('textarea').inputValue()).toBe('');
});

it.each(IMPORTS)('is imported from $kind, by the button, by a drop and by pasting', async (one) => {
  const visitor = await newVisitor('Ada');
  const { page } = visitor;
  const { from, to, bytes, rows, prepare } = one;
  const ways: ((visitor: Visitor) => Promise<void>)[] = [chooseFile(bytes), (by) => dropFile(by, bytes)];
  if (typeof bytes === 'string') ways.push((by) => showPasted(by, bytes));
  for (const bring of ways) {
    await visitor.goto('/lists/new');
    await page.getByLabel('From', { exact: true }).selectOption(from);
    await page.getByLabel('To', { exact: true }).selectOption(to);
    await bring(visitor);
    await prepare?.(visitor);
    await visitor.press('Add these words');
    await page
      .locator('.terms > li')
      .nth(rows.length - 1)
      .waitFor();
    const texts = await page.locator('.terms > li').allInnerTexts();
    expect(
      texts.map((text) =>
        text
          .trim()
          .split(/\s*\n\s*/)
          .join('|'),
      ),
    ).toEqual(rows);
    await visitor.press('Discard changes');
  }
});

it.each([
  ['a damaged workbook', workbookOf({ Animals: [['dog', 'Hund']] }).slice(0, 300), 'This file is damaged.'],
  [
    'an OpenDocument',
    zipSync({ mimetype: new Uint8Array(8), 'content.xml': new Uint8Array(8) }),
    'This kind of spreadsheet',
  ],
  ['an old workbook', bytesOf('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'), 'This kind of spreadsheet'],
  ['a package of Anki', zipSync({ 'collection.anki2': new Uint8Array(8) }), 'This is a package of Anki.'],
  ['a PDF', bytesOf('%PDF-1.7\n'), 'This is a document'],
  ['a picture', bytesOf('\x89PNG\r\n\x1A\n\0\0\0\rIHDR'), 'This is a picture.'],
  ['a database', bytesOf('SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\0'), 'This file has no text'],
])('says what to do instead with %s, chosen or dropped', async (_kind, bytes, notice) => {
  const visitor = await newVisitor('Ada');
  await visitor.goto('/lists/new');
  for (const bring of [chooseFile(bytes), (by: Visitor) => dropFile(by, bytes)]) {
    await bring(visitor);
    await visitor.page.getByRole('alert').getByText(notice).waitFor();
    await visitor.page.reload();
  }
});
