// Computes the forms in which a typed answer and translations are compared: what differs only in case, white space,
// punctuation around it, brackets or an article has the same form. Pure. [contract 20]
import { foldCompatible } from '../text.ts';

/** The words that may be left out before an answer, by language. Those with an apostrophe need no space behind. */
const LEADING_WORDS: Readonly<Record<string, string>> = {
  en: 'a an the to',
  de: 'der die das den dem des ein eine einen einem einer eines',
  fr: "le la les l' un une des du",
  it: "il lo la l' i gli le un uno una un'",
  es: 'el la los las lo un una unos unas',
};

/** By language, matches one leading word where something follows it. */
const LEADING = new Map(
  Object.entries(LEADING_WORDS).map(([language, words]) => {
    const ends = words.split(' ').map((word) => (word.endsWith("'") ? `${word} ?` : `${word} `));
    return [language, new RegExp(`^(?:${ends.join('|')})(?=.)`, 'u')];
  }),
);

/** Typographic characters and the plain ones that they stand for. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2018-\u201B\u02BC\u2032\u2039\u203A]/g, "'"],
  [/[\u201C-\u201F\u2033\u00AB\u00BB]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
];

const WHITE_SPACE = /\s+/gu;
const OPENING = /^[¿¡\s]+/u;
/** The lookbehind makes a match begin only at the start of a run, so that each run is scanned once. */
const CLOSING = /(?<![.!?…\s])[.!?…\s]+$/u;
/** What stands between several translations in one text. */
const BETWEEN_PARTS = / \/ |; |, /;

/**
 * @param answer an answer whose length is checked
 * @param language the ISO 639-1 code of the answer's language
 * @returns the form of the answer; empty when it has nothing that is compared
 */
export function formOf(answer: string, language: string): string {
  return withoutFrame(withoutBrackets(folded(answer)), language);
}

/**
 * @param translation a translation as a deck or list has it
 * @returns the whole translation, and then its alternatives where it gives several
 */
export function alternativesOf(translation: string, language: string): string[] {
  return formsOf(translation, language);
}

/** @returns the form with the language's letters written out; two texts are equal where these are */
export function canonicalOf(text: string, language: string): string {
  return formOf(text, language);
}

/** @returns the distinct canonical forms of a translation and of its alternatives; none is empty */
export function canonicalsOf(translation: string, language: string): string[] {
  return formsOf(translation, language);
}

/**
 * @param translation a translation as a deck or list has it
 * @returns the forms of which an answer may have any: that of the whole, and those of its parts where it gives several
 *   translations; none is empty
 */
export function formsOf(translation: string, language: string): string[] {
  const text = withoutBrackets(folded(translation));
  const forms = [text, ...text.split(BETWEEN_PARTS)].map((part) => withoutFrame(part, language));
  return [...new Set(forms.filter((form) => form !== ''))];
}

function folded(text: string): string {
  const plain = PLAIN.reduce((done, [from, to]) => done.replace(from, to), foldCompatible(text));
  return oneSpace(plain);
}

const oneSpace = (text: string) => text.replace(WHITE_SPACE, ' ').trim();

/** @returns the text without what is in round brackets; a bracket without its counterpart stays */
function withoutBrackets(text: string): string {
  const kept: string[] = [];
  const open: number[] = [];
  for (const character of text) {
    const start = character === ')' ? open.pop() : undefined;
    if (start !== undefined) {
      kept.length = start;
      continue;
    }
    if (character === '(') open.push(kept.length);
    kept.push(character);
  }
  return oneSpace(kept.join(''));
}

/** Removes the punctuation around a text, and then one leading word. */
function withoutFrame(text: string, language: string): string {
  const bare = oneSpace(text.replace(OPENING, '').replace(CLOSING, ''));
  const leading = LEADING.get(language);
  return leading ? bare.replace(leading, '') : bare;
}
