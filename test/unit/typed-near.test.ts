// The index that finds the forms close to a form. [contract 20]
import { describe, expect, it } from 'vitest';
import { isOneEditApart } from '../../src/judging/edits.ts';
import { closeTo } from '../../src/judging/verdict.ts';
import { keysNearForm, keysOfForm } from '../../src/vocabulary/typed/near-keys.ts';
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

describe('the keys near a form', () => {
  it('include one of each form that is close to it', () => {
    let close = 0;
    for (const form of forms)
      for (const other of editsOf(form)) {
        if (!closeTo(other)(form)) continue;
        close += 1;
        const near = new Set(keysNearForm(form));
        expect(
          keysOfForm(other).some((key) => near.has(key)),
          `${form}|${other}`,
        ).toBe(true);
      }
    expect(close).toBeGreaterThan(1000);
  });

  it('include one of each form that differs in diacritics', () => {
    expect(keysOfForm('eeaé')).toContain(keysNearForm('éèâe')[0]);
  });

  it('are few, whatever the length of the form', () => {
    const long = 'abcdefgh'.repeat(200);
    expect(keysNearForm(long).length).toBeLessThanOrEqual(20);
    expect(keysOfForm(long)).toHaveLength(6);
  });

  it('are seldom those of a form that is not close', () => {
    const near = new Set(keysNearForm('parola 12345'));
    let found = 0;
    for (let at = 0; at < 100_000; at++)
      if (keysOfForm(`parola ${at}`).some((key) => near.has(key))) found += 1;
    expect(found).toBeLessThan(2500);
  });
});
