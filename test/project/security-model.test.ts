// The threat model of .github/THREATS.md: each attack has a measure whose file exists, and a test that exists under
// the cited title.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/manifests.ts';

/** The folder to which the links are relative. */
const FOLDER = join(ROOT, '.github');
const text = readFileSync(join(FOLDER, 'THREATS.md'), 'utf8');

/** The cells of the tables whose last column names the tests of a measure. */
const rows = text
  .split('\n## ')
  .filter((part) => part.startsWith('Who attacks'))
  .flatMap((part) => part.split('\n'))
  .filter((line) => line.startsWith('| ') && !line.endsWith('| tested by |'))
  .map((line) => line.slice(1, -1).split('|'));

const linksIn = (cell = '') =>
  [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', file = '']) => ({ name, file }));

/** @returns whether the file has a test whose title contains this one */
function hasTest(file: string, title: string): boolean {
  const words = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])[^\\n]*${words}`).test(readFileSync(join(FOLDER, file), 'utf8'));
}

test('each attacker and each attack has one row, with a measure and a test', () => {
  expect(rows.length).toBeGreaterThan(35);
  for (const [attack, measure, tests, ...rest] of rows) {
    expect(rest, attack).toEqual([]);
    expect(linksIn(measure), attack).not.toEqual([]);
    expect(linksIn(tests), attack).not.toEqual([]);
  }
});

const budgets = text
  .split('\n## ')
  .filter((part) => part.startsWith('Budgets'))
  .flatMap((part) => part.split('\n'))
  .filter((line) => line.startsWith('| ') && !line.endsWith('| tested by |'))
  .map((line) => line.slice(1, -1).split('|'));

test('each budget names the code that enforces it, and a test', () => {
  expect(budgets.length).toBeGreaterThan(40);
  for (const [, what, , , measure, tests] of budgets) {
    expect(linksIn(measure), what).not.toEqual([]);
    expect(linksIn(tests), what).not.toEqual([]);
    for (const { file } of linksIn(measure)) expect(existsSync(join(FOLDER, file)), file).toBe(true);
    for (const { name, file } of linksIn(tests)) expect(hasTest(file, name), name).toBe(true);
  }
});

test('each measure is in an existing file of the cited name', () => {
  for (const { name, file } of rows.flatMap(([, measure]) => linksIn(measure))) {
    expect(existsSync(join(FOLDER, file)), file).toBe(true);
    expect(`\`${file.split('/').at(-1)}\``).toBe(name);
  }
});

test('each test exists in the cited file under the cited title', () => {
  for (const { name, file } of rows.flatMap(([, , tests]) => linksIn(tests)))
    expect(file.endsWith('.test.ts') && hasTest(file, name), `${file}: ${name}`).toBe(true);
});
