// The digest of the built-in vocabulary changes with the lists and with the code that makes terms of their
// lines.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { digestOf, listBuiltInFiles, listFiles } from '../../src/tools/import/built-in.ts';

test.each<[what: string, changes: Record<string, string | undefined>, isOther: boolean]>([
  ['ignores documents and nested folders', { 'README.md': 'text', 'lists/a1-noun.csv': 'dog,cane\n' }, false],
  ['changes with a line', { 'a1-noun.csv': 'house,Casa\n' }, true],
  ['changes with the name of a list', { 'a1-noun.csv': undefined, 'a0-noun.csv': 'house,casa\n' }, true],
  ['changes with the code', { 'rules.ts': 'other code' }, true],
  ['changes with a new file of code', { 'text.js': '' }, true],
  [
    'changes when the beginning of a list moves to the end of the one before',
    { 'a1-noun.csv': 'house,casa\neat', 'a1-verb.csv': ',mangiare\n' },
    true,
  ],
])('the digest %s', async (_what, changes, isOther) => {
  const files = { 'a1-noun.csv': 'house,casa\n', 'a1-verb.csv': 'eat,mangiare\n', 'rules.ts': 'code' };
  const [before, after] = await Promise.all([files, { ...files, ...changes }].map(digestWith));
  expect(before !== after).toBe(isOther);
});

async function digestWith(files: Record<string, string | undefined>): Promise<string> {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'digest-'));
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return digestOf(await listFiles([folder]));
}

test('the lists and the code that reads, normalises and writes their words are digested', async () => {
  const files = (await listBuiltInFiles()).map((path) => path.replaceAll('\\', '/'));
  for (const name of [
    '/prisma/vocabulary/a1-noun.csv',
    '/package.json',
    '/src/text.ts',
    '/src/vocabulary/rules.ts',
    '/src/vocabulary/schema.ts',
    '/src/tools/import/built-in.ts',
    '/src/tools/import/term-record.ts',
    '/src/tools/import/import-terms.ts',
  ])
    expect(files.filter((path) => path.endsWith(name))).toHaveLength(1);
});
