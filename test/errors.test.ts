// The default sentence and the advice of each error code.
import { expect, test } from 'vitest';
import { adviceOf, ERROR_CODES, sentenceOf } from '../src/errors.ts';

test('the sentence of a code has no number, since it applies to every refusal with the code', () => {
  expect(ERROR_CODES.map(sentenceOf).filter((sentence) => /\d/.test(sentence))).toEqual([]);
});

test('the advice of a code differs from its sentence', () => {
  for (const code of ERROR_CODES) {
    expect(adviceOf(code), code).toMatch(/^[A-Z].{10,}\.$/);
    expect(adviceOf(code), code).not.toBe(sentenceOf(code));
  }
});
