// Computes the forms in which a typed answer and translations are compared: what differs only in case, white space,
// punctuation, brackets or an article has the same form. Pure. [contract 20]
import { foldCompatible, tidy } from '../text.ts';
import { variantsOf } from './alternatives.ts';
import { withoutBrackets } from './brackets.ts';
import { languageOf, withoutDigraphs } from './languages.ts';

/** The alternatives of a translation that count beside the whole. */
const ALTERNATIVES_MAX = 16;

/** The most code points of a form in NFKC, which may have eighteen times as many as the text. */
const COMPATIBLE_MAX = 240;
/** The length that no text exceeds after folding, in code points. */
const FORM_MAX = 1000;

const APOSTROPHES = /[’‘‛‚‹›′´`ʼʹʻ＇׳]/g;
const QUOTES = /[„“”‟«»″״]/g;
const DASHES = /\p{Dash}/gu;
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u0652\u0670\u0640]/gu;
const BETWEEN_DIGITS = /(\p{Nd})[,:](?=\p{Nd})/gu;
/** A mark between digits is matched together with the digit before it, which keeps both. */
const MARKS = /(\p{Nd}[.!?…¿¡。؟۔।"])(?=\p{Nd})|[.!?…¿¡。؟۔।"]/gu;
const COMMAS = /[,;:،、؛]/g;
const WHITE_SPACE = /\s+/gu;

/** The steps that bring a text into its form. One that would leave nothing is left out. */
const STEPS: readonly ((text: string, language: string) => string)[] = [
  plainSigns,
  (text, language) => foldCompatible(text, { max: COMPATIBLE_MAX, locale: languageOf(language).locale }),
  // NFKC makes a few look-alikes of other characters: ŉ, ‴.
  plainSigns,
  (text) => text.replace(INVISIBLE, ''),
  withoutDigraphs,
  withoutBrackets,
  (text) => text.replace(BETWEEN_DIGITS, '$1.').replace(MARKS, '$1'),
  (text) => text.replace(COMMAS, ' '),
  // A mark combines with the letter from which a dropped character has separated it.
  (text) => tidy(text.replace(WHITE_SPACE, ' '), FORM_MAX),
  (text, language) => text.replace(languageOf(language).leading ?? '', ''),
];

/** @returns the form of a text whose length is checked; empty when it has nothing that is compared */
export function formOf(text: string, language: string): string {
  let form = text;
  for (const step of STEPS) {
    const next = step(form, language);
    if (next.trim() !== '') form = next;
  }
  return form.trim();
}

/** @returns the whole translation, and then its alternatives in the order of the text, of each form one */
export function alternativesOf(translation: string, language: string): string[] {
  return [...alternativesByForm(translation, language).values()];
}

/** @returns the forms of a translation and of its alternatives, of which an answer may have any; none is empty */
export function formsOf(translation: string, language: string): string[] {
  return [...alternativesByForm(translation, language).keys()];
}

/** @returns the form with the language's letters written out; an answer is right where these are equal */
export function canonicalOf(text: string, language: string): string {
  return languageOf(language).writeOut(formOf(text, language));
}

/** @returns the distinct canonical forms of a translation and of its alternatives; none is empty */
export function canonicalsOf(translation: string, language: string): string[] {
  const { writeOut } = languageOf(language);
  return [...new Set(formsOf(translation, language).map(writeOut))];
}

function alternativesByForm(translation: string, language: string): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const add = (text: string) => {
    if (seen.has(text)) return;
    seen.add(text);
    const form = formOf(text, language);
    if (form !== '' && !found.has(form)) found.set(form, text);
  };
  add(translation);
  for (const variant of variantsOf(translation, language)) {
    if (found.size > ALTERNATIVES_MAX) break;
    add(variant);
  }
  return found;
}

function plainSigns(text: string): string {
  return text.replace(APOSTROPHES, "'").replace(QUOTES, '"').replace(DASHES, '-');
}
