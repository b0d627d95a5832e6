// Two texts that are one edit apart, found without trying all edits. [contract 20]
import { describe, expect, it } from 'vitest';
import { isOneEditApart } from '../../src/judging/edits.ts';
import { seeded } from '../support/seeded.ts';

const ALPHABET = ['a', 'b', 'é', 'e', ' ', '𐐨', '𐐩'];

/** @returns all texts that are one edit away, by the letters of ALPHABET */
function editsOf(text: string): Set<string> {
  const points = Array.from(text);
  const edits = new Set<string>();
  for (let at = 0; at <= points.length; at++) {
    const [left, right] = [points.slice(0, at), points.slice(at)];
    for (const letter of ALPHABET) {
      edits.add([...left, letter, ...right].join(''));
      if (right.length > 0) edits.add([...left, letter, ...right.slice(1)].join(''));
    }
    if (right.length > 0) edits.add([...left, ...right.slice(1)].join(''));
    if (right.length > 1) edits.add([...left, right[1], right[0], ...right.slice(2)].join(''));
  }
  edits.delete(text);
  return edits;
}

const random = seeded(7);
const forms = Array.from({ length: 60 }, () =>
  Array.from({ length: 1 + random(9) }, () => ALPHABET[random(ALPHABET.length)]).join(''),
);

describe('two texts', () => {
  it('are one edit apart exactly where one of all edits of one makes the other', () => {
    for (const form of forms) {
      const edits = editsOf(form);
      for (const other of [
        ...forms,
        ...edits,
        ...[...edits].slice(0, 5).flatMap((one) => [...editsOf(one)]),
      ])
        expect(isOneEditApart(form, other), `${form}|${other}`).toBe(edits.has(other));
    }
  });
});
