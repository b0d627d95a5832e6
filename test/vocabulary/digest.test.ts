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

  test('changes with each list and each file of code', async () => {
    const changes = [
      () => writeFileSync(file('a1-noun.csv'), 'house,Casa\n'),
      () => renameSync(file('a1-noun.csv'), file('a2-noun.csv')),
      () => writeFileSync(file('rules.ts'), 'other code'),
      () => writeFileSync(file('text.js'), ''),
    ];
    const seen = [digest];
    for (const change of changes) {
      change();
      seen.push(await newDigest());
    }
    expect(new Set(seen).size).toBe(changes.length + 1);
  });

  test('changes when the beginning of a list moves to the end of the one before', async () => {
    writeFileSync(file('a1-noun.csv'), 'house,casa\neat');
    writeFileSync(file('a1-verb.csv'), ',mangiare\n');
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
