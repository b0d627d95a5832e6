// Valid lists that are as expensive as possible, made from the limits of lists: each is named after what it has most
// of. [contract 14, 20]
import { LIST_TERMS, MAX_LENGTHS } from '../../../src/vocabulary/lists/rules.ts';
import type { ListTerm } from '../../../src/vocabulary/lists/schema.ts';
import { seeded } from '../terms.ts';

type TermAt = (at: number) => ListTerm;

const random = seeded(20_261_123);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** A letter with thirty combining marks: a text may have no more of them in a row. */
const MARKED = `a${'\u0323\u0301'.repeat(15)}`;

const letters = (count: number) => Array.from({ length: count }, () => LETTERS[random(LETTERS.length)]).join('');
/** @returns the start and as much of `rest`, repeated, as a text of that length may have */
const longest = (start: string | number, rest: string, length: number = MAX_LENGTHS.targetText) =>
  [...`${start} ${rest.repeat(length)}`].slice(0, length).join('').normalize('NFC').trim();

/** @returns as many parts as a translation may have */
function parts(at: number, separator: string, part: (number: number) => string): string {
  let text = part(at);
  for (let next = 1; ; next++) {
    const longer = `${text}${separator}${part(at + next * LIST_TERMS.max)}`;
    if ([...longer].length > MAX_LENGTHS.targetText) return text;
    text = longer;
  }
}

const twoLetters = (number: number) => [number, number / 26].map((letter) => LETTERS[Math.floor(letter) % 26]).join('');
/** @returns two signs that no other number has, nor any sign of it in the same place */
const twoSigns = (number: number) => String.fromCodePoint(0x4e00 + (number % 20_000), 0xac00 + (number % 11_000));
/** @returns a word that is one substitution away from all others */
const nearWord = (number: number) => `aaaa${String.fromCodePoint(0x4e00 + (number % 20_000))}`;

const withParts =
  (separator: string, part: (number: number) => string): TermAt =>
  (at) => ({ sourceText: `prompt ${at}`, targetText: parts(at, separator, part) });
/** Fifty prompts, each with as many of the longest translations as the list has room for. */
const ofFifty =
  (rest: string): TermAt =>
  (at) => ({
    sourceText: longest(at % 50, rest, MAX_LENGTHS.sourceText),
    targetText: longest(at, rest),
    sourceGloss: longest(at % 50, rest, MAX_LENGTHS.sourceGloss),
  });

/** An ordinary list, of the kind of a built-in deck, for comparison. */
const ordinary: TermAt = (at) => ({
  sourceText: `${letters(4 + (at % 8))}${at}`,
  targetText: `${letters(4 + (at % 9))}${at}`,
});

const HOSTILE: Record<string, TermAt> = {
  'the longest texts': (at) => ({
    sourceText: `${letters(MAX_LENGTHS.sourceText - 4)}${at}`,
    targetText: `${letters(MAX_LENGTHS.targetText - 4)}${at}`,
    sourceGloss: `${letters(MAX_LENGTHS.sourceGloss - 4)}${at}`,
  }),
  'the longest forms': ofFifty('ﷺ'),
  'the most bytes': ofFifty('𝔞'),
  'the most combining marks': ofFifty(MARKED),
  'the most quotation marks': ofFifty('"'),
  'the most alternatives': withParts('; ', twoSigns),
  'the most near texts': withParts('; ', nearWord),
  'the most equal texts': withParts('; ', (at) => `equal ${Math.floor(at / LIST_TERMS.max)}`),
  'the most commas': withParts(', ', twoLetters),
  'the most strokes': withParts('/', twoLetters),
  'the most brackets around words': withParts(' ', (at) => `(${twoLetters(at)}) x`),
  'the most brackets within words': withParts('', (at) => `${twoLetters(at)}(u)`),
  'one prompt with all translations': (at) => ({ sourceText: 's', targetText: longest(at, '𝔱') }),
  'one prompt with a gloss for each translation': (at) => ({
    sourceText: 's',
    targetText: parts(at, '; ', nearWord),
    sourceGloss: `gloss ${at}`,
  }),
  'one translation of all prompts': (at) => ({ sourceText: `prompt ${at}`, targetText: 'one' }),
  'three translations of one prompt, with many glosses': (at) => ({
    sourceText: longest('s', 's'),
    targetText: longest(at % 3, 't'),
    sourceGloss: longest(at, 'g', MAX_LENGTHS.sourceGloss),
  }),
  'fifty prompts to which everything is right': (at) => ({
    sourceText: `prompt ${at % 50}`,
    targetText: `target ${Math.floor(at / 50)}`,
    sourceGloss: `gloss ${at}`,
  }),
  'nearly all translations of one prompt': (at) =>
    at % 32 === 0
      ? { sourceText: `prompt ${at}`, targetText: `target ${at}` }
      : { sourceText: 's', targetText: `t${at}`, sourceGloss: longest('g', 'g', 200) },
};

const listOf = (term: TermAt, length: number) => Array.from({ length }, (_, at) => term(at));

export function listsOf(count: number = LIST_TERMS.max) {
  return {
    ordinary: listOf(ordinary, count),
    hostile: Object.entries(HOSTILE).map(([name, term]) => ({ name, terms: listOf(term, count) })),
  };
}
