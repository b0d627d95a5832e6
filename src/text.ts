// Normalises, folds and segments text from clients; no other file may do so. Each function first checks the length in
// UTF-16 units, and then the runs of combining marks, since `normalize` takes quadratic time in such a run: 3 s for
// 120,000 marks. Pure. [contract 17]

/** A text may have this many UTF-16 units for each allowed code point, since normalisation may shorten it. */
const UNITS_PER_CODE_POINT = 4;

/** How many combining marks may follow each other. Written languages use a few; Unicode's stream-safe limit is 30. */
const MARKS_MAX = 30;

/** Combining marks, and the halfwidth voicing marks, which become combining marks under NFKC. */
const MARK = String.raw`[\p{M}\uFF9E\uFF9F]`;
/** A match begins before a run, so that each run is scanned once, also in browsers without lookbehind. */
const BEFORE_RUN = String.raw`(?:^|[^\p{M}\uFF9E\uFF9F])`;
const TOO_MANY_MARKS = new RegExp(`${BEFORE_RUN}${MARK}{${MARKS_MAX + 1}}`, 'u');
const MARKS_BEYOND = new RegExp(`(${BEFORE_RUN}${MARK}{${MARKS_MAX}})${MARK}+`, 'gu');

/** The longest text that is folded, in code points; no name, address, password or word may be longer. */
const FOLDED_MAX = 1000;

/** Undefined in Firefox before 125. */
const Segmenter = Intl.Segmenter as typeof Intl.Segmenter | undefined;
const graphemes = Segmenter && new Segmenter('und', { granularity: 'grapheme' });

export type TextProblem = 'empty' | 'too_long' | 'too_many_marks' | 'ill_formed' | 'control_character';

/** Must be called before any other function processes a text from a client. @param max its most code points */
export function refusalOf(text: string, max: number): 'too_long' | 'too_many_marks' | null {
  if (text.length > UNITS_PER_CODE_POINT * max) return 'too_long';
  return TOO_MANY_MARKS.test(text) ? 'too_many_marks' : null;
}

/** @returns the text, shortened and without surplus marks, so that `refusalOf` accepts it */
export function cutToSize(text: string, max: number): string {
  return text.slice(0, UNITS_PER_CODE_POINT * max).replace(MARKS_BEYOND, '$1');
}

/** @returns the text in NFC without surrounding spaces; unchanged when `refusalOf` refuses it */
export function tidy(text: string, max: number): string {
  return refusalOf(text, max) ? text : text.normalize('NFC').trim();
}

/** @param text a result of `tidy` */
export function problemOf(text: string, max: number): TextProblem | null {
  if (text === '') return 'empty';
  const refusal = refusalOf(text, max);
  if (refusal) return refusal;
  // Code points are counted only when the text is long in UTF-16 units, which is cheaper to know.
  if (text.length > max && [...text].length > max) return 'too_long';
  if (/\p{Cs}/u.test(text)) return 'ill_formed';
  if (/\p{Cc}/u.test(text)) return 'control_character';
  return null;
}

/** @returns the grapheme clusters of the text; the whole text as one when `refusalOf` refuses it */
export function graphemesOf(text: string, max: number): string[] {
  if (refusalOf(text, max)) return [text];
  if (!graphemes) return text.match(/\p{Any}\p{M}*/gu) ?? [];
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** @returns `change`, but for a text that is too long, which stays unchanged */
const limited = (change: (text: string) => string) => (text: string) =>
  refusalOf(text, FOLDED_MAX) ? text : change(text);

/** @returns the text in NFC, folded and trimmed */
export const foldCase = limited((text) => caseOf(text.normalize('NFC')).normalize('NFC').trim());

/** @returns the text in lower case without accents */
export const foldAccents = limited((text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());

/** @returns the text in NFKC, the form in which passwords are hashed */
export const compatible = limited((text) => text.normalize('NFKC'));

/** Characters that JavaScript's upper case unites with others, and Unicode's full case folding doesn't. */
const NOT_FOLDED = /(ı)/;

/**
 * @param options.max the most code points in NFKC; a text with more is folded in NFC
 * @param options.locale the language whose upper and lower case are used, such as `tr`; by default no language's
 * @returns the text in NFKC after Unicode's full case folding, which also unites ς and σ; unchanged when it is too long
 */
export function foldCompatible(
  text: string,
  { max = Number.POSITIVE_INFINITY, locale }: { max?: number; locale?: string | undefined } = {},
): string {
  if (refusalOf(text, FOLDED_MAX)) return text;
  const compatible = text.normalize('NFKC');
  // A code point has two units at most, and counting takes longer than normalising.
  const isLong = compatible.length > 2 * max || (compatible.length > max && [...compatible].length > max);
  const form = isLong ? 'NFC' : 'NFKC';
  const folded = (isLong ? text.normalize('NFC') : compatible)
    .split(NOT_FOLDED)
    .map((part) => (part === 'ı' ? part : caseOf(part, locale)));
  return folded.join('').replaceAll('ς', 'σ').normalize(form);
}

/**
 * Folds case, for which JavaScript has no function. Lower, upper and lower case in sequence have the same effect: upper
 * case unites ß, ẞ and SS, and lower case unites what upper case distinguishes.
 */
function caseOf(text: string, locale?: string): string {
  // The functions with a locale take several times as long.
  if (locale === undefined) return text.toLowerCase().toUpperCase().toLowerCase();
  return text.toLocaleLowerCase(locale).toLocaleUpperCase(locale).toLocaleLowerCase(locale);
}

const DIACRITICS = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+|(е)\u0308/gu;

/** @returns the text in NFD without the diacritics of Latin and Greek letters and of ё */
export const withoutDiacritics = limited((text) => text.normalize('NFD').replace(DIACRITICS, '$1$2'));

/**
 * Matches where a spreadsheet begins a formula: at the beginning of a cell, and behind what some spreadsheets take for a
 * border between cells. The full-width signs count as well, since a spreadsheet reads them as the others.
 */
const FORMULA = /^(?=[=+\-@＝＋－＠\t\r\n])/;
const INNER_FORMULA = /([;\t])(?=[=+\-@＝＋－＠\t\r\n])/g;
const GUARDED_FORMULA = /(^|[;\t])'(?=[=+\-@＝＋－＠\t\r\n])/g;

/** @returns the text of a CSV cell, with an apostrophe wherever a spreadsheet would begin a formula [contract 13, 22] */
export function guardCell(text: string): string {
  return text.replace(INNER_FORMULA, "$1'").replace(FORMULA, "'");
}

export function unguardCell(cell: string): string {
  return cell.replace(GUARDED_FORMULA, '$1');
}
