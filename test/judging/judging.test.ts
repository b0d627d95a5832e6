// How a typed answer is judged in each language. [contract 20]
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alternativesOf, canonicalOf, canonicalsOf, formOf, formsOf } from '../../src/judging/forms.ts';
import {
  canonicalKeyOf,
  canonicalKeysOf,
  hashOf,
  isOneEditApart,
  VERDICTS,
  verdictOf,
} from '../../src/judging/verdict.ts';
import { ALTERNATIVES, CASES, FORMS, LEADING_WORDS } from './judging-cases.ts';

it.each(CASES)('in %s %j answered by “%s” is %s: %s', (language, translations, answer, verdict) => {
  expect(verdictOf(answer, { language, accepted: [translations].flat() })).toBe(verdict);
});

describe('a form', () => {
  it.each(FORMS)('in %s of “%s” is “%s”: %s', (language, text, form) => {
    expect(formOf(text, language)).toBe(form);
  });

  it.each(Object.entries(LEADING_WORDS))('in %s is without one of “%s”', (language, words) => {
    for (const word of words.split(', ')) {
      const space = word.endsWith('’') ? '' : ' ';
      expect(formOf(`${word}${space}Xyz`, language), word).toBe('xyz');
      expect(formOf(`${word} Xyz`, 'xx'), word).not.toBe('xyz');
      expect(formOf(word, language), word).toBe(word.replace('’', "'"));
    }
  });
});

it.each(ALTERNATIVES)('the alternatives in %s of “%s” are %j: %s', (language, translation, forms) => {
  expect(formsOf(translation, language)).toEqual(forms);
  expect(alternativesOf(translation, language)[0]).toBe(translation);
  expect(alternativesOf(translation, language).map((one) => formOf(one, language))).toEqual(forms);
});

/** Texts of what the rules look at, and of any characters. */
const PIECES = [
  ...'a b ä Ø ı İ ß ﬁ е\u0308 は ハ 大 أ ﷺ 𐐨 \u0301 1 2'.split(' '),
  ...' \u3000/／;；,，、|.!?…。-–~*()[]{}【】（）"„’\'\u00AD\u200D\u2028',
  ...['the ', 'der ', 'de la ', 'l’', 'in', 'innen', '(in)', '/a', '/as', '*in'],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 120 }),
);
const language = fc.constantFrom('en', 'de', 'fr', 'es', 'tr', 'sv', 'el', 'ja', 'xx', '');

describe('for any text', () => {
  const each = (check: (text: string, language: string) => void) =>
    fc.assert(fc.property(text, language, check), { numRuns: 1000 });

  it('the translation and each of its alternatives are right answers', () => {
    each((translation, language) => {
      const key = { language, accepted: ['x', translation] };
      for (const one of [translation, ...alternativesOf(translation, language)])
        expect(verdictOf(one, key)).toBe(formOf(one, language) === '' ? 'wrong' : 'right');
    });
  });

  it('the whole is followed by sixteen alternatives at most, whose forms are distinct and not empty', () => {
    each((translation, language) => {
      const forms = formsOf(translation, language);
      expect(forms.length).toBeLessThanOrEqual(17);
      expect(new Set(forms).size).toBe(forms.length);
      expect(forms).not.toContain('');
      const whole = formOf(translation, language);
      if (whole !== '') expect(forms[0]).toBe(whole);
      expect(alternativesOf(translation, language)).toHaveLength(forms.length);
    });
  });

  it('a form in a language without leading words is its own form', () => {
    each((text) => {
      const form = formOf(text, 'xx');
      expect(formOf(form, 'xx')).toBe(form);
    });
  });

  it('an answer is right exactly where its canonical form is one of the translation', () => {
    fc.assert(
      fc.property(text, fc.option(text), language, (translation, other, language) => {
        const answer = other ?? translation;
        const verdict = verdictOf(answer, { language, accepted: [translation] });
        expect(VERDICTS).toContain(verdict);
        const canonical = canonicalOf(answer, language);
        expect(canonicalsOf(translation, language).includes(canonical)).toBe(verdict === 'right');
        const keys = canonicalKeysOf(translation, language);
        expect(keys.includes(canonicalKeyOf(answer, language))).toBe(verdict === 'right');
        for (const key of keys) expect(key).toBe(key | 0);
      }),
      { numRuns: 1000 },
    );
  });
});

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the key of a canonical form is its FNV-1a hash: that of “%s” is %i', (text, hash) => {
  expect(hashOf(text)).toBe(hash | 0);
});

const ALPHABET = ['a', 'b', 'é', 'e', ' ', '𐐨', '𐐩'];
const letters = fc.array(fc.constantFrom(...ALPHABET), { minLength: 1, maxLength: 9 });

/** @returns all texts that are one edit away, by the letters of ALPHABET */
function editsOf(points: readonly string[]): Set<string> {
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
  edits.delete(points.join(''));
  return edits;
}

it('two texts are one edit apart exactly where one of all edits of one makes the other', () => {
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const [text, edits] = [one.join(''), editsOf(one)];
      const twice = editsOf([...([...edits][0] ?? '')]);
      for (const candidate of [text, other.join(''), ...edits, ...twice])
        expect(isOneEditApart(text, candidate), candidate).toBe(edits.has(candidate));
    }),
    { numRuns: 50 },
  );
});

/** The longest and oddest translations: of 120 code points. */
const WORST = [
  ...'ﷺ ( / * . ,; a/b/ a(b) a(b)(b) ([{【】}]) a\u0323\u0301 \u0323\u0301 𝔞(𝔟) 1, A;a;'.split(' '),
  ...[' x', 'abc/de ', 'ﷺﷺ/ﷺﷺ ', 'abc*in ', 'ß(ß)ß ', 'der/die ', 'amigo/a '],
].map((piece) => Array.from(piece.repeat(120)).slice(0, 120).join(''));

it('[contract 17] the oddest translations take a few tenths of a millisecond each', () => {
  const TIMES = 20;
  for (const translation of WORST) {
    const startUs = process.threadCpuUsage().user;
    for (let time = 0; time < TIMES; time++) {
      const accepted = [translation, ...Array(3).fill(translation.slice(1))];
      verdictOf(`${translation.slice(2)}x`, { language: 'de', accepted });
    }
    const ms = (process.threadCpuUsage().user - startUs) / 1000 / TIMES / 4;
    expect(ms, translation).toBeLessThan(5);
  }
});
