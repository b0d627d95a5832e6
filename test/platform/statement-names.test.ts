// Which SQL statements become prepared statements.
import { expect, it } from 'vitest';
import { createStatementNames } from '../../src/platform/postgres/postgres.ts';

it('a statement always has the same name, and no other statement has it', () => {
  const nameOf = createStatementNames();
  const [one, other] = [nameOf({ sql: 'SELECT 1' }), nameOf({ sql: 'SELECT 2' })];
  expect(one).toMatch(/^\w{1,63}$/);
  expect(other).not.toBe(one);
  expect(nameOf({ sql: 'SELECT 1' })).toBe(one);
});

it('a statement whose text depends on the length of a list gets no name', () => {
  const nameOf = createStatementNames();
  const lengths = Array.from({ length: 150 }, (_, at) => at + 2);
  // A prepared statement is useful only if the statement is repeated.
  for (const length of [...lengths, ...lengths, ...lengths, ...lengths]) {
    const placeholders = Array.from({ length }, (_, at) => `$${at + 1}`);
    expect(nameOf({ sql: `SELECT "name" FROM "user" WHERE "id" IN (${placeholders})` })).toBe('');
    const rows = placeholders.map((placeholder) => `(${placeholder})`).join(', ');
    expect(nameOf({ sql: `INSERT INTO "term" ("text") VALUES ${rows}` })).toBe('');
  }
  expect(nameOf({ sql: 'SELECT "name" FROM "user" WHERE "id" = $1' })).not.toBe('');
});

it('the number of named statements is limited', () => {
  const nameOf = createStatementNames();
  const named = Array.from({ length: 5000 }, (_, at) => nameOf({ sql: `SELECT ${at}` }));
  expect(new Set(named.filter((name) => name !== '')).size).toBe(300);
});
