// How text input is limited and normalised. [contract 14, 17]
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compatible, cutToSize, foldAccents, foldCase, graphemesOf, problemOf, refusalOf, tidy } from '../src/text.ts';
import { tidyText } from '../src/vocabulary/schema.ts';

const MARKS = '\u0323\u0301';
const ENDLESS = `a${MARKS.repeat(500_000)}`;
const LONG_RUN = `a${MARKS.repeat(16)}`;

describe('[contract 17] before it is processed, a text', () => {
  it('is refused if it has more UTF-16 units than four times the allowed code points', () => {
    expect(refusalOf('𝔞'.repeat(20), 10)).toBeNull();
    expect(refusalOf(`${'x'.repeat(40)}`, 10)).toBeNull();
    expect(refusalOf(`${'x'.repeat(41)}`, 10)).toBe('too_long');
  });

  it('is refused if it has more than 30 combining marks in a row', () => {
    expect(refusalOf(`a${MARKS.repeat(15)}b${MARKS.repeat(15)}`, 100)).toBeNull();
    expect(refusalOf(`a${MARKS.repeat(15)}\u0301`, 100)).toBe('too_many_marks');
    // NFKC turns halfwidth voicing marks into combining marks.
    expect(refusalOf(`a${'\uff9e\u0301'.repeat(16)}`, 100)).toBe('too_many_marks');
  });

  it('stays unchanged if it is too long, which takes little CPU time', () => {
    const startMs = process.threadCpuUsage().user;
    expect(tidy(ENDLESS, 80)).toBe(ENDLESS);
    expect(problemOf(ENDLESS, 80)).toBe('too_long');
    expect(graphemesOf(ENDLESS, 80)).toEqual([ENDLESS]);
    for (const change of [foldCase, foldAccents, compatible]) {
      expect(change(ENDLESS)).toBe(ENDLESS);
      expect(change(LONG_RUN)).toBe(LONG_RUN);
    }
    // Normalising the text once takes a minute of CPU time.
    expect((process.threadCpuUsage().user - startMs) / 1000).toBeLessThan(2000);
  });

  it('is refused with an error that names the limit', () => {
    const schema = z.object({ name: tidyText(40) });
    const messages = (name: string) => schema.safeParse({ name }).error?.issues.map((one) => one.message);
    expect(messages(ENDLESS)).toEqual(['must be at most 40 characters long']);
    expect(messages(LONG_RUN)).toEqual(['must not have more than 30 combining marks in a row']);
    expect(schema.parse({ name: ` Zoe\u0308 ` })).toEqual({ name: 'Zoë' });
  });
});

it('a provider’s name is cut to the length that may be processed', () => {
  const cut = cutToSize(`Zoë ${ENDLESS}`, 200);
  expect(cut).toBe(`Zoë a${MARKS.repeat(15)}`);
  expect(refusalOf(cut, 200)).toBeNull();
});
