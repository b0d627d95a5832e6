// The threat model of SECURITY.md says what is so: each attack has a measure that exists, and a test
// that is there under that title.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/manifests.ts';

const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

/** The cells of the tables whose last column says what holds a measure. */
const rows = text
  .split('\n## ')
  .filter((part) => part.startsWith('Who attacks'))
  .flatMap((part) => part.split('\n'))
  .filter((line) => line.startsWith('| ') && !line.endsWith('| held by |'))
  .map((line) => line.slice(1, -1).split('|'));

const linksIn = (cell = '') =>
  [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', file = '']) => ({
    name,
    file,
  }));

/** @returns whether a test of this title, or one that begins or ends like it, is in the file */
function hasTest(file: string, title: string): boolean {
  const words = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])[^\\n]*${words}`).test(readFileSync(join(ROOT, file), 'utf8'));
}

test('each attacker and each attack is one line, with a measure and a test', () => {
  expect(rows.length).toBeGreaterThan(35);
  for (const [attack, measure, tests, ...rest] of rows) {
    expect(rest, attack).toEqual([]);
    expect(linksIn(measure), attack).not.toEqual([]);
    expect(linksIn(tests), attack).not.toEqual([]);
  }
});

test('each measure is in a file of that name', () => {
  for (const { name, file } of rows.flatMap(([, measure]) => linksIn(measure))) {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(`\`${file.split('/').at(-1)}\``).toBe(name);
  }
});

test('each test is in its file, under that title', () => {
  for (const { name, file } of rows.flatMap(([, , tests]) => linksIn(tests)))
    expect(file.endsWith('.test.ts') && hasTest(file, name), `${file}: ${name}`).toBe(true);
});
