// The measures of likeness equal naive implementations of their definitions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editLikeness, orderLikeness, shapeOf, sharedPiece } from '../../src/vocabulary/distractors/likeness.ts';

/** The greatest number of letters that are compared; the alphabet is small, so that words share letters. */
const WORD = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '語'), maxLength: 24 });

/** Fills a table of two words. `same` or `different` computes a cell from its neighbours. */
function cells(
  [one, other]: [string, string],
  edge: (at: number) => number,
  same: (diagonal: number) => number,
  different: (diagonal: number, above: number, left: number) => number,
): number[] {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => edge(at))];
  for (const [row, letter] of [...one].entries()) {
    const [above = [], next] = [rows[row], [edge(row + 1)]];
    for (const [column, beside] of [...other].entries()) {
      const [diagonal = 0, up = 0, left = 0] = [above[column], above[column + 1], next[column]];
      next.push(letter === beside ? same(diagonal) : different(diagonal, up, left));
    }
    rows.push(next);
  }
  return rows.flat();
}

function check(holds: (one: string, other: string) => void): void {
  const letters = WORD.map((text) => shapeOf(text).letters);
  fc.assert(fc.property(letters, letters, holds), { numRuns: 500, seed: 20_261_122 });
}

test('the edit distance is the number of replaced, added and removed letters, as a share of the longer word', () => {
  check((one, other) => {
    const least = (...ways: number[]) => Math.min(...ways) + 1;
    const edits =
      cells(
        [one, other],
        (at) => at,
        (diagonal) => diagonal,
        least,
      ).at(-1) ?? 0;
    const longer = Math.max(one.length, other.length, 1);
    expect(editLikeness(shapeOf(one), shapeOf(other))).toBeCloseTo(1 - edits / longer);
  });
});

test('the letters in order are the longest common subsequence, as a share of both words', () => {
  check((one, other) => {
    const most = (_: number, above: number, left: number) => Math.max(above, left);
    const kept =
      cells(
        [one, other],
        () => 0,
        (diagonal) => diagonal + 1,
        most,
      ).at(-1) ?? 0;
    const letters = Math.max(one.length + other.length, 1);
    expect(orderLikeness(shapeOf(one), shapeOf(other))).toBeCloseTo((2 * kept) / letters);
  });
});

test('the shared piece is the longest run of letters that both words have', () => {
  check((one, other) => {
    const runs = cells(
      [one, other],
      () => 0,
      (diagonal) => diagonal + 1,
      () => 0,
    );
    expect(sharedPiece(shapeOf(one), shapeOf(other))).toBe(Math.max(...runs));
  });
});
