// Migrations run while the version before is still at work, so they only add. What has to go, goes a
// release after the last code that uses it, and is then excepted here, by name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/manifests.ts';

const FOLDER = join(ROOT, 'prisma/migrations');

const BREAKING: Record<string, RegExp> = {
  'removes something': /\bDROP (TABLE|COLUMN|TYPE|VIEW|CONSTRAINT)\b/i,
  'renames something': /\bRENAME\b/i,
  'changes a column': /\bALTER COLUMN "?\w+"? (SET DATA )?TYPE\b/i,
  'asks old code for a value':
    /\bSET NOT NULL\b|\bADD COLUMN [^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/i,
};

/** What looks worse than it is. */
const EXCEPTED = [
  // A check is replaced by a wider one.
  '20261122050000_room removes something',
];

/** @returns what of `sql` the version before can't bear */
function breakingIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  return Object.keys(BREAKING).filter((what) => BREAKING[what]?.test(code));
}

test('every migration can be applied while the version before is running', () => {
  const names = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(names.length).toBeGreaterThanOrEqual(3);
  const faults = names.flatMap((name) =>
    breakingIn(readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8')).map(
      (what) => `${name} ${what}`,
    ),
  );
  expect(faults).toEqual(EXCEPTED);
});

test('this check notices what breaks the version before, and nothing else', () => {
  expect(breakingIn('ALTER TABLE "game" DROP COLUMN "code";')).toEqual(['removes something']);
  expect(breakingIn('ALTER TABLE "game" RENAME COLUMN "code" TO "kode";')).toEqual([
    'renames something',
  ]);
  expect(breakingIn('ALTER TABLE "game" ALTER COLUMN "code" TYPE text;')).toEqual([
    'changes a column',
  ]);
  expect(breakingIn('ALTER TABLE "game" ADD COLUMN "mode" TEXT NOT NULL;')).toEqual([
    'asks old code for a value',
  ]);
  expect(breakingIn('ALTER TABLE "game" ADD COLUMN "mode" TEXT NOT NULL DEFAULT \'x\';')).toEqual(
    [],
  );
  expect(
    breakingIn('-- DROP TABLE\nCREATE TABLE "x" ("y" TEXT NOT NULL); DROP INDEX "z";'),
  ).toEqual([]);
});
