// The digest of the built-in vocabulary changes with the lists and with the code that makes terms of their
// lines.
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { digestOf, listBuiltInFiles, listFiles } from '../../src/tools/import/built-in.ts';

let folder: string;
let digest: string;
const file = (name: string) => join(folder, name);
const newDigest = async () => digestOf(await listFiles([folder]));

beforeEach(async () => {
  folder = mkdtempSync(join(inject('temporaryFolder'), 'digest-'));
  writeFileSync(file('a1-noun.csv'), 'house,casa\n');
  writeFileSync(file('a1-verb.csv'), 'eat,mangiare\n');
  writeFileSync(file('rules.ts'), 'code');
  digest = await newDigest();
});

describe('the digest', () => {
  test('is the same while no file changes, and ignores documents and nested folders', async () => {
    writeFileSync(file('README.md'), 'text');
    mkdirSync(file('lists'));
    expect(await newDigest()).toBe(digest);
  });

  test.each([
    ['a list changes', () => writeFileSync(file('a1-noun.csv'), 'house,Casa\n')],
    ['a list is renamed', () => renameSync(file('a1-noun.csv'), file('a2-noun.csv'))],
    ['a list is added', () => writeFileSync(file('a2-noun.csv'), '')],
    ['code changes', () => writeFileSync(file('rules.ts'), 'other code')],
    ['code is added', () => writeFileSync(file('text.js'), '')],
    [
      'the beginning of a list moves to the end of the one before',
      () => {
        writeFileSync(file('a1-noun.csv'), 'house,casa\neat');
        writeFileSync(file('a1-verb.csv'), ',mangiare\n');
      },
    ],
  ])('changes when %s', async (_when, change) => {
    change();
    expect(await newDigest()).not.toBe(digest);
  });
});

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
