// Migrations run while processes of the previous release are running, so that they may only add. A column or table is
// dropped one release after the last code that uses it; this test then lists the migration as an exception.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

const FOLDER = join(ROOT, 'prisma/migrations');

const BREAKING: Record<string, RegExp> = {
  'removes something': /\bDROP (TABLE|COLUMN|TYPE|VIEW|CONSTRAINT)\b/i,
  'deletes rows': /\b(TRUNCATE|DELETE FROM)\b/i,
  'renames something': /\bRENAME\b/i,
  'changes a column': /\bALTER COLUMN "?\w+"? (SET DATA )?TYPE\b/i,
  'asks old code for a value': /\bSET NOT NULL\b|\bADD COLUMN [^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/i,
};

/** No process reads what these migrations remove. */
const EXCEPTIONS = ['20261126003000_answers_by_seat deletes rows', '20261126140000_translation_keys removes something'];

/** @returns the changes in `sql` that break the previous release */
function breakingIn(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  return Object.keys(BREAKING).filter((what) => BREAKING[what]?.test(code));
}

test('every migration can be applied while the previous release is running', () => {
  const names = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(names.length).toBeGreaterThanOrEqual(1);
  const faults = names.flatMap((name) =>
    breakingIn(readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8')).map((what) => `${name} ${what}`),
  );
  expect(faults).toEqual(EXCEPTIONS);
});

test('the check detects changes that break the previous release, and no others', () => {
  expect(breakingIn('ALTER TABLE "game" DROP COLUMN "code";')).toEqual(['removes something']);
  for (const sql of ['TRUNCATE TABLE "game" CASCADE;', 'DELETE FROM "game" WHERE "rounds" = 0;'])
    expect(breakingIn(sql)).toEqual(['deletes rows']);
  expect(breakingIn('ALTER TABLE "game" RENAME COLUMN "code" TO "kode";')).toEqual(['renames something']);
  expect(breakingIn('ALTER TABLE "game" ALTER COLUMN "code" TYPE text;')).toEqual(['changes a column']);
  expect(breakingIn('ALTER TABLE "game" ADD COLUMN "mode" TEXT NOT NULL;')).toEqual(['asks old code for a value']);
  expect(breakingIn('ALTER TABLE "game" ADD COLUMN "mode" TEXT NOT NULL DEFAULT \'x\';')).toEqual([]);
  expect(breakingIn('-- DROP TABLE\nCREATE TABLE "x" ("y" TEXT NOT NULL); DROP INDEX "z";')).toEqual([]);
});
