// Tests that words come into a list from whatever they lie in: chosen, dropped and pasted. [contract 14]
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { showPasted } from '../support/tour.ts';
import type { Visitor } from '../support/visitor.ts';
import { workbookOf } from '../web/workbook.ts';

const { newVisitor } = useBrowser();

function chooseFile({ page }: Visitor, bytes: Uint8Array): Promise<void> {
  const file = { name: 'words', mimeType: '', buffer: Buffer.from(bytes) };
  return page.locator('[type=file]').setInputFiles(file);
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

const WORKBOOK = workbookOf({
  Animals: [
    ['English', 'German'],
    ['owl', 'Eule'],
    ['', ''],
    ['wolf', 'Wolf'],
  ],
  // Unpacked, it has more than half a megabyte.
  Trees: Array.from({ length: 2000 }, (_, at) => [`oak ${at}`, `Eiche ${at}`, `${'tall '.repeat(39)}tree`]),
  Rivers: [['Thames', 'Themse']],
});

/** The kinds of tables are in test/web/read-table.test.ts. The texts of each row are joined by bars. */
const IMPORTS = [
  {
    kind: 'cards of Anki with HTML and ruby, by pasting',
    languages: ['ja', 'en'],
    bring: (visitor: Visitor) =>
      showPasted(
        visitor,
        '# mine\n#separator:tab\n#html:true\n#deck column:1\nN5\t<ruby>飲<rp>(</rp><rt>の</rt><rp>)</rp></ruby>む\tto drink<br>to sip\nN5\t<b>川</b>\tcaf&eacute;\n',
      ),
    rows: ['飲む|のむ|to drink; to sip|Accepted when typed: to drink · to sip', '川|café'],
  },
  {
    kind: 'columns that are chosen, by a drop',
    languages: ['en', 'de'],
    bring: (visitor: Visitor) => dropFile(visitor, 'owl,noun,Eule,in the wood\nriver,noun,Fluss,long'),
    prepare: async ({ page }: Visitor) => {
      await page.getByLabel('Column 3').selectOption('Translation');
      await page.getByLabel('Column 4').selectOption('Note');
      await page.getByLabel('Name of the list').fill('Chosen');
    },
    rows: ['owl|in the wood|Eule', 'river|long|Fluss'],
  },
  {
    kind: 'a file whose encoding is chosen, by the button',
    languages: ['en', 'de'],
    bring: (visitor: Visitor) =>
      chooseFile(visitor, Buffer.from('owl;\xF1\xEE\xE2\xE0\r\nriver;\xF0\xB3\xF7\xEA\xE0\r\n', 'latin1')),
    prepare: async ({ page }: Visitor) => void (await page.getByLabel('Characters').selectOption('Windows-1251')),
    rows: ['owl|сова', 'river|річка'],
  },
  {
    kind: 'a sheet of a workbook, by a drop',
    languages: ['en', 'de'],
    bring: (visitor: Visitor) => dropFile(visitor, WORKBOOK),
    prepare: async ({ page }: Visitor) => {
      await page.getByText('2 words found.').waitFor();
      await page.getByLabel('Sheet', { exact: true }).selectOption('Trees');
      await page.getByText('2000 words found.').waitFor();
      await page.getByLabel('Sheet', { exact: true }).selectOption('Animals');
    },
    rows: ['owl|Eule', 'wolf|Wolf'],
  },
];

it('keeps what was pasted until it is added: after a reload, a damaged file and an attempt to save', async () => {
  const visitor = await newVisitor('Ada', { path: '/lists/new' });
  const { page } = visitor;
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

it.each(IMPORTS)('is imported from $kind', async ({ languages: [from = '', to = ''], bring, rows, prepare }) => {
  const visitor = await newVisitor('Ada', { path: '/lists/new' });
  const { page } = visitor;
  await page.getByLabel('From', { exact: true }).selectOption(from);
  await page.getByLabel('To', { exact: true }).selectOption(to);
  await bring(visitor);
  await prepare?.(visitor);
  await visitor.press('Add these words');
  const terms = page.locator('.terms > li');
  await terms.nth(rows.length - 1).waitFor();
  const texts = await terms.allInnerTexts();
  expect(texts.map((text) => text.trim().replaceAll(/\s*\n\s*/g, '|'))).toEqual(rows);
});

it('says what to do instead with a file without words, chosen or dropped', async () => {
  const visitor = await newVisitor('Ada', { path: '/lists/new' });
  for (const [bring, bytes, notice] of [
    [chooseFile, zipSync({ 'collection.anki2': new Uint8Array(8) }), 'This is a package of Anki.'],
    [dropFile, Buffer.from('%PDF-1.7\n'), 'This is a document'],
  ] as const) {
    await bring(visitor, bytes);
    await visitor.page.getByRole('alert').getByText(notice).waitFor();
    await visitor.page.reload();
  }
});
