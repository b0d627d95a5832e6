// Valid lists of the greatest length that are as expensive as possible.
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import { seeded } from './seeded.ts';

const TERMS = 2000;
const random = seeded(20_261_123);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

const letters = (count: number) => Array.from({ length: count }, () => LETTERS[random(LETTERS.length)]).join('');
const listOf = (term: (at: number) => ListTerm) => Array.from({ length: TERMS }, (_, at) => term(at));
const longest = (start: string, rest: string, length: number) =>
  [...`${start}${rest.repeat(length)}`].slice(0, length).join('').normalize('NFC');
/** A letter with thirty combining marks: a text may have no more of them in a row. */
const MARKED = `a${'\u0323\u0301'.repeat(15)}`;

/** An ordinary list of 2,000 words, for comparison. */
export const ORDINARY = listOf((at) => ({
  sourceText: `${letters(4 + (at % 8))}${at}`,
  targetText: `${letters(4 + (at % 9))}${at}`,
}));

/** Lists from which no question with three wrong options can be built. */
export const UNASKABLE: Record<string, ListTerm[]> = {
  'one prompt, three answers, a gloss each': listOf((at) => ({
    sourceText: 's',
    targetText: `t${at % 3}`,
    sourceGloss: `g${at}`,
  })),
  'the same in the longest texts': listOf((at) => ({
    sourceText: longest('s', 's', 120),
    targetText: longest(`t${at % 3}`, 't', 120),
    sourceGloss: longest(`g${at}`, 'g', 200),
  })),
  'fifty prompts to which everything is right': listOf((at) => ({
    sourceText: `p${at % 50}`,
    targetText: `t${Math.floor(at / 50)}`,
    sourceGloss: `g${at}`,
  })),
};

/** Lists with fifty possible questions, whose replies are as long as those of a deck. */
export const ASKABLE_SHORT: Record<string, ListTerm[]> = {
  'one prompt to which nearly everything is right': listOf((at) =>
    at < TERMS - 3
      ? { sourceText: 's', targetText: `t${at}`, sourceGloss: `g${at}` }
      : { sourceText: `p${at}`, targetText: `q${at}` },
  ),
  'nearly all translations of one prompt with one gloss': listOf((at) =>
    at < TERMS - 60
      ? { sourceText: 's', targetText: `t${at}`, sourceGloss: longest('g', 'g', 200) }
      : { sourceText: `p${at}`, targetText: `q${at}` },
  ),
};

/** A list whose translations have as many alternatives as are compared, all of them one edit apart. */
export const NEAR = listOf((at) => ({
  sourceText: `word ${at}`,
  targetText: Array.from({ length: 17 }, (_, part) => `aa${letterOf(at + part)}a${letterOf(at / 26)}`).join('; '),
}));

function letterOf(number: number): string {
  return LETTERS[Math.floor(number) % LETTERS.length] as string;
}

/** A list of fifty prompts, with `ofOne` translations each. */
const listOfFifty = (ofOne: number, textOf: (at: number) => string) =>
  Array.from({ length: 50 * ofOne }, (_, at) => ({
    sourceText: longest(`${at % 50} `, '😀', 120),
    sourceGloss: longest('', '😀', 200),
    targetText: textOf(at),
  }));

/** Lists whose questions have the most bytes of accepted texts, in several ways. */
export const MOST_ACCEPTED: Record<string, ListTerm[]> = {
  'few long ones': listOfFifty(4, (at) => longest(String.fromCodePoint(0x1f600 + at), '😀', 100)),
  'one that is the longest': listOfFifty(2, (at) => longest(String.fromCodePoint(0x1f600 + at), '😀', 120)),
  'many short ones': listOfFifty(40, (at) => (1000 + at).toString(36)),
  'quotation marks': listOfFifty(5, (at) => `${'"'.repeat(95)}${at}`),
};

/** Lists with fifty possible questions. */
export const ASKABLE: Record<string, ListTerm[]> = {
  ...ASKABLE_SHORT,
  'the longest texts of letters': listOf((at) => ({
    sourceText: `${letters(116)}${at}`,
    targetText: `${letters(116)}${at}`,
    sourceGloss: `${letters(196)}${at}`,
  })),
  'the longest texts of combining marks': listOf((at) => ({
    sourceText: longest(`${at}`, MARKED, 120),
    targetText: longest(`${at}b`, MARKED, 120),
    sourceGloss: longest(`${at}c`, MARKED, 200),
  })),
  'the longest texts of pairs of UTF-16 units': listOf((at) => ({
    sourceText: longest(`${at}`, '😀', 120),
    targetText: longest(`${at}b`, '😀', 120),
    sourceGloss: longest(`${at}c`, '😀', 200),
  })),
};
