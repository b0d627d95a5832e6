// Judges typed answers. Pure. [contract 20]
import { withoutDiacritics } from '../text.ts';
import { isOneEditApart } from './edits.ts';
import { canonicalOf, canonicalsOf, formOf, formsOf } from './forms.ts';

/** How a typed answer is judged: `close` is right but for a slip. */
export const VERDICTS = ['right', 'close', 'wrong'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What the answers to a question are compared with. */
export interface AnswerKey {
  /** The ISO 639-1 code of the language of the answers. */
  language: string;
  /** The accepted translations as the deck or list has them. */
  accepted: readonly string[];
}

/** The number of letters from which on a translation may be missed by one edit. */
const MIN_LETTERS = 5;
const LETTER = /\p{L}/gu;

/** @returns whether a translation of this form may be missed by one edit */
export function hasEnoughLetters(form: string): boolean {
  return (form.match(LETTER)?.length ?? 0) >= MIN_LETTERS;
}

/**
 * @returns a function that tells whether the form of a translation differs from that of the answer by no more than a
 *   slip; the answer is prepared once, since a question may have many translations
 */
export function closeTo(answer: string): (translation: string) => boolean {
  const bare = withoutDiacritics(answer);
  return (translation) => {
    if (withoutDiacritics(translation) === bare) return true;
    return hasEnoughLetters(translation) && isOneEditApart(answer, translation);
  };
}

/**
 * @param answer an answer whose length is checked
 * @returns the verdict among the accepted translations alone. The caller refuses `close` where the answer equals a
 *   translation of another prompt, for which `canonicalKeysOf` makes an index.
 */
export function verdictOf(answer: string, { language, accepted }: AnswerKey): Verdict {
  const form = formOf(answer, language);
  if (form === '') return 'wrong';
  const forms = accepted.flatMap((translation) => formsOf(translation, language));
  if (forms.includes(form)) return 'right';
  return forms.some(closeTo(form)) ? 'close' : 'wrong';
}

/** @returns the hashes of a translation's canonical forms, for an index of what answers equal */
export function canonicalKeysOf(translation: string, language: string): number[] {
  return [...new Set(canonicalsOf(translation, language).map(hashOf))];
}

/** @returns the hash of an answer's canonical form, which is among those of each translation that the answer equals */
export function canonicalKeyOf(answer: string, language: string): number {
  return hashOf(canonicalOf(answer, language));
}

/** @returns the 32-bit FNV-1a hash of the UTF-16 units, signed as PostgreSQL's `integer` */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
