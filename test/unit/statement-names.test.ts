// Which SQL statements the server keeps prepared.
import { expect, it } from 'vitest';
import { createStatementNames } from '../../src/platform/statement-names.ts';

it('a statement that is asked again and again gets a name, and keeps it; each its own', () => {
  const nameOf = createStatementNames();
  const names = (sql: string) => Array.from({ length: 5 }, () => nameOf({ sql }));
  const [one, other] = [names('SELECT 1'), names('SELECT 2')];
  expect(one.slice(0, 2)).toEqual(['', '']);
  expect(one[2]).toMatch(/^\w{1,63}$/);
  expect(new Set(one.slice(2)).size).toBe(1);
  expect(other[2]).not.toBe(one[2]);
});

it('what is asked once gets none, and however many there are, the server keeps a bounded number', () => {
  const nameOf = createStatementNames();
  for (let number = 0; number < 5000; number++)
    expect(nameOf({ sql: `SELECT ${number}` })).toBe('');
  const named = new Set<string>();
  for (let number = 0; number < 500; number++) {
    for (let time = 0; time < 4; time++) {
      const name = nameOf({ sql: `SELECT 'again', ${number}` });
      if (name) named.add(name);
    }
  }
  expect(named.size).toBe(100);
});
