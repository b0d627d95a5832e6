// Judges typed answers. Pure. [contract 20]
import { withoutDiacritics } from '../text.ts';
import { canonicalOf, canonicalsOf, formOf, formsOf } from './forms.ts';
import { languageOf, withAlikeUnited } from './languages.ts';

/** An answer that is `close` is right but for a slip. */
export const VERDICTS = ['right', 'close', 'wrong'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The accepted translations as the deck or list has them, and the ISO 639-1 code of their language. */
export interface AnswerKey {
  language: string;
  accepted: readonly string[];
}

/** The number of letters from which on a translation may be missed by one edit. */
const MIN_LETTERS = 5;
const LETTER = /\p{L}/gu;

const KATAKANA = /[\u30A1-\u30F6\u30FD\u30FE]/g;
const TO_HIRAGANA = -0x60;
const NOT_COUNTED = /['\- ]/g;

/**
 * @param text an answer whose length is checked
 * @returns the verdict among the accepted translations alone. The caller refuses `close` where the answer equals a
 *   translation of another prompt, for which `canonicalKeysOf` makes an index.
 */
export function verdictOf(text: string, { language, accepted }: AnswerKey): Verdict {
  const form = formOf(text, language);
  const { writeOut } = languageOf(language);
  const forms = accepted.flatMap((translation) => formsOf(translation, language));
  const canonical = writeOut(form);
  const canonicals = forms.map(writeOut);
  if (canonicals.includes(canonical)) return 'right';
  const likeness = likenessOf(form);
  if (likeness !== '' && forms.some((one) => likenessOf(one) === likeness)) return 'close';
  const lettersIn = (one: string) => one.match(LETTER)?.length ?? 0;
  const isMissed = (one: string) => isOneEditApart(canonical, one) && lettersIn(one) >= MIN_LETTERS;
  return canonicals.some(isMissed) ? 'close' : 'wrong';
}

/**
 * @returns what is left of a form where letters that are alike are united and diacritics, apostrophes, hyphens and
 *   white space don't count: forms with the same likeness are close
 */
function likenessOf(form: string): string {
  return withAlikeUnited(withoutDiacritics(withAlikeUnited(form)))
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + TO_HIRAGANA))
    .replace(NOT_COUNTED, '');
}

/** @returns the hashes of a translation's canonical forms, for an index of what answers equal */
export function canonicalKeysOf(translation: string, language: string): number[] {
  return [...new Set(canonicalsOf(translation, language).map(hashOf))];
}

/** @returns the hash of an answer's canonical form, which each translation has that the answer equals */
export function canonicalKeyOf(answer: string, language: string): number {
  return hashOf(canonicalOf(answer, language));
}

/** @returns the 32-bit FNV-1a hash of the UTF-16 units, signed as PostgreSQL's `integer` */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** The UTF-16 units by which the lengths of two texts of one edit may differ: those of a code point. */
const SURPLUS_MAX = 2;

/** @returns whether one insertion, deletion, substitution or swap of neighbouring code points makes one text the other */
export function isOneEditApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > SURPLUS_MAX) return false;
  const [first, second] = [[...one], [...other]];
  const [long, short] = first.length >= second.length ? [first, second] : [second, first];
  let start = 0;
  while (start < long.length && long[start] === short[start]) start++;
  let end = 0;
  while (end < short.length - start && long.at(-1 - end) === short.at(-1 - end)) end++;
  const differing = long.length - start - end;
  const isSwap = long[start] === short[start + 1] && long[start + 1] === short[start];
  return differing === 1 || (differing === 2 && long.length === short.length && isSwap);
}
